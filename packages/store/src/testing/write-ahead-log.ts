import pg from 'pg';

/** What the transactions of some work wrote. */
interface LoggedChanges {
  /** Of all their records, their commits too. */
  readonly bytes: number;
  /** A transaction that only reads has none. */
  readonly commits: number;
}

/** Counts what the transactions of one database write into the log of its server (WAL). */
export class WriteAheadLog {
  private constructor(private readonly owner: pg.Client) {}

  static async open({ ownerUrl }: { readonly ownerUrl: string }): Promise<WriteAheadLog> {
    const owner = new pg.Client({ connectionString: ownerUrl });
    await owner.connect();
    // The server of the tests commits without a flush, and only what is flushed can be inspected.
    await owner.query('create extension if not exists pg_walinspect; set synchronous_commit = on');
    return new WriteAheadLog(owner);
  }

  /**
   * The changes of the transactions that change this database while the work runs. Other databases of the server do
   * not count, but other work in this one does.
   */
  async countChanges(work: () => Promise<unknown>): Promise<LoggedChanges> {
    const from = await this.#flush();
    await work();
    const to = await this.#flush();
    const { rows } = await this.owner.query<{ bytes: string; commits: string }>(
      `select coalesce(sum(record_length), 0) as bytes,
         count(*) filter (where resource_manager = 'Transaction' and record_type like 'COMMIT%') as commits
       from pg_get_wal_records_info($1, $2) where xid in (
         select b.xid from pg_get_wal_block_info($1, $2) b
         where b.reldatabase = (select oid from pg_database where datname = current_database()))`,
      [from, to],
    );
    return { bytes: Number(rows[0]?.bytes), commits: Number(rows[0]?.commits) };
  }

  close(): Promise<void> {
    return this.owner.end();
  }

  /** Writes the log up to here, and returns the position. */
  async #flush(): Promise<string> {
    await this.owner.query(`select pg_logical_emit_message(true, 'test', '')`);
    const { rows } = await this.owner.query<{ position: string }>('select pg_current_wal_flush_lsn() as position');
    return rows[0]?.position ?? '';
  }
}
