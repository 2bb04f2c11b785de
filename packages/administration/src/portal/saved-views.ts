import { SYSTEM_SCOPE } from '@pos/core/administration';
import type { PortalUserId } from '@pos/core/identity';
import { SAVED_VIEWS_MAX, type SavedView } from '@pos/core/payment-intents';
import { createViolation } from '@pos/core/refusals';
import type { Database, Tx } from '@pos/store/database';
import { listSavedViews as listViews, lockSavedViews, updateSavedViews } from '@pos/store/portal';

type Views = readonly SavedView[];

/** The saved views of a user in the order of their creation. Nobody else sees or uses them. */
export function listSavedViews(database: Database, userId: PortalUserId): Promise<Views> {
  return database.readSystem((reader) => listViews(reader, userId));
}

/** Saves a view. Refuses a name that another view of the user has, and more than 50 views, by the member `name`. */
export function createSavedView(
  database: Database,
  userId: PortalUserId,
  request: Omit<SavedView, 'id'>,
): Promise<SavedView> {
  return changeViews(database, userId, async (views, tx) => {
    if (views.length >= SAVED_VIEWS_MAX) {
      throw createViolation('validation_failed', 'name', `is one too many: at most ${SAVED_VIEWS_MAX} views`);
    }
    requireFreeName(views, request.name);
    const view = { id: await tx.newUuid(), ...request };
    return { views: [...views, view], result: view };
  });
}

/** Renames a view. Refuses an unknown one by `viewId`, and a name that another view of the user has by `name`. */
export function renameSavedView(
  database: Database,
  userId: PortalUserId,
  { id, name }: Pick<SavedView, 'id' | 'name'>,
): Promise<SavedView> {
  return changeViews(database, userId, async (views) => {
    const view = { ...requireView(views, id), name };
    requireFreeName(
      views.filter((each) => each.id !== id),
      name,
    );
    return { views: views.map((each) => (each.id === id ? view : each)), result: view };
  });
}

/** Deletes a view. Refuses an unknown one by `viewId`. */
export function deleteSavedView(database: Database, userId: PortalUserId, id: string): Promise<undefined> {
  return changeViews(database, userId, async (views) => {
    requireView(views, id);
    return { views: views.filter((each) => each.id !== id), result: undefined };
  });
}

function changeViews<T>(
  database: Database,
  userId: PortalUserId,
  change: (views: Views, tx: Tx) => Promise<{ readonly views: Views; readonly result: T }>,
): Promise<T> {
  return database.transact(SYSTEM_SCOPE, async (tx) => {
    const { views, result } = await change(await lockSavedViews(tx, userId), tx);
    await updateSavedViews(tx, userId, views);
    return result;
  });
}

function requireView(views: Views, id: string): SavedView {
  const view = views.find((each) => each.id === id);
  if (view === undefined) throw createViolation('validation_failed', 'viewId', 'is none of your views');
  return view;
}

function requireFreeName(views: Views, name: string): void {
  if (views.some((each) => each.name.toLowerCase() === name.toLowerCase())) {
    throw createViolation('validation_failed', 'name', 'belongs to another of your views');
  }
}
