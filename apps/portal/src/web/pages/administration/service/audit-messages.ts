import type { MessageCatalogue } from '@pos/web-ui/messages';

const en = {
  auditLog: 'Audit log',
  intro: 'Every change by an operator, of the command line and of the portal, newest first. Entries are never changed.',
  actor: 'Who',
  actorHint: 'An e-mail address, or a name',
  action: 'Action',
  allActions: 'All actions',
  from: 'From',
  to: 'To',
  clear: 'Clear filters',
  when: 'When',
  why: 'Why',
  change: 'Change',
  showChange: 'Show',
  before: 'Before',
  after: 'After',
  noneTitle: 'No change fits',
  noneText: 'Choose another filter.',
  older: 'Older',
  newest: 'Newest',
} as const;

export const AUDIT_MESSAGES: MessageCatalogue<keyof typeof en> = {
  en,
  de: {
    auditLog: 'Prüfprotokoll',
    intro:
      'Jede Änderung durch Betreiber, über die Befehlszeile und das Portal, die neueste zuerst. Einträge werden nie geändert.',
    actor: 'Wer',
    actorHint: 'Eine E-Mail-Adresse oder ein Name',
    action: 'Aktion',
    allActions: 'Alle Aktionen',
    from: 'Von',
    to: 'Bis',
    clear: 'Filter löschen',
    when: 'Wann',
    why: 'Warum',
    change: 'Änderung',
    showChange: 'Zeigen',
    before: 'Vorher',
    after: 'Nachher',
    noneTitle: 'Keine Änderung passt',
    noneText: 'Wählen Sie einen anderen Filter.',
    older: 'Ältere',
    newest: 'Neueste',
  },
};
