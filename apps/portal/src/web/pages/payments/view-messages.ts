import type { MessageCatalogue } from '@pos/web-ui/messages';

const en = {
  views: 'Saved views',
  all: 'All payments',
  save: 'Save this view',
  saveTitle: 'Save this view',
  saveText: 'The filters that are set now get a name. Only you see it.',
  name: 'Name',
  cancel: 'Cancel',
  saveDone: 'Save',
  rename: 'Rename',
  renameTitle: 'Rename {name}',
  delete: 'Delete',
  deleteTitle: 'Delete the view {name}?',
  deleteText: 'The payments stay. Only the view is deleted.',
  keep: 'Keep it',
} as const;

export const VIEW_MESSAGES: MessageCatalogue<keyof typeof en> = {
  en,
  de: {
    views: 'Gespeicherte Ansichten',
    all: 'Alle Zahlungen',
    save: 'Ansicht speichern',
    saveTitle: 'Ansicht speichern',
    saveText: 'Die jetzt gesetzten Filter bekommen einen Namen. Nur Sie sehen ihn.',
    name: 'Name',
    cancel: 'Abbrechen',
    saveDone: 'Speichern',
    rename: 'Umbenennen',
    renameTitle: '{name} umbenennen',
    delete: 'Löschen',
    deleteTitle: 'Ansicht {name} löschen?',
    deleteText: 'Die Zahlungen bleiben. Nur die Ansicht wird gelöscht.',
    keep: 'Behalten',
  },
};
