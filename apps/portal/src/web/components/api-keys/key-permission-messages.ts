import type { MessageCatalogue } from '@pos/web-ui/messages';

const en = {
  role: 'Role',
  full: 'full: the whole API, without card numbers',
  'read-only': 'read-only: reads everything, changes nothing',
  'terminal-only': 'terminal-only: payments on card machines',
  'webhooks-only': 'webhooks-only: webhook subscriptions',
  'epos-only': 'epos-only: connects an EPOS',
  gateway: 'gateway: waiters’ devices at tables',
  'machines-only': 'machines-only: inside card machines',
  pci: 'pci: the whole API, card numbers included',
  permissionCount: 'Permissions named: {count}',
  grants: 'Beside the role',
  'branding.write': 'Change the look of the payment page',
  'branding.write.help': 'No role has it, so that a lost key of a role cannot replace the logo that payers trust.',
} as const;

export const KEY_PERMISSION_MESSAGES: MessageCatalogue<keyof typeof en> = {
  en,
  de: {
    role: 'Rolle',
    full: 'full: die ganze API, ohne Kartennummern',
    'read-only': 'read-only: liest alles, ändert nichts',
    'terminal-only': 'terminal-only: Zahlungen an Kartengeräten',
    'webhooks-only': 'webhooks-only: Webhook-Abonnements',
    'epos-only': 'epos-only: bindet eine Kasse an',
    gateway: 'gateway: Geräte der Bedienung am Tisch',
    'machines-only': 'machines-only: in Kartengeräten',
    pci: 'pci: die ganze API samt Kartennummern',
    permissionCount: 'Einzeln genannt: {count}',
    grants: 'Zusätzlich zur Rolle',
    'branding.write': 'Aussehen der Zahlungsseite ändern',
    'branding.write.help':
      'Keine Rolle hat es, damit ein verlorener Schlüssel einer Rolle das Logo nicht ersetzt, dem Zahlende vertrauen.',
  },
};
