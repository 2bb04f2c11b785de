const ENGLISH = {
  cardNumber: 'Card number',
  cardName: 'Name on card',
  expiryDate: 'Expires',
  expiryExample: 'MM/YY',
  cV2: 'Security code',
  codeHintBack: '3 digits on the back',
  codeHintFront: '4 digits on the front',
  numberMissing: 'Enter the number of your card.',
  numberWrong: 'This number is not complete, or has a typing error.',
  nameMissing: 'Enter the name as on the card.',
  expiryWrong: 'Enter month and year as on the card, such as 12/32.',
  expiryPast: 'This card has expired. Check the date, or use another card.',
  codeWrongBack: 'Enter the 3 digits on the back of the card.',
  codeWrongFront: 'Enter the 4 digits on the front of the card.',
  codeWrong: 'Enter the 3 or 4 digits of the security code.',
  digitsOnly: 'Only digits belong here. Other characters were left out: please compare with your card.',
} as const;

export type FrameTextName = keyof typeof ENGLISH;

const GERMAN: Readonly<Record<FrameTextName, string>> = {
  cardNumber: 'Kartennummer',
  cardName: 'Name auf der Karte',
  expiryDate: 'Gültig bis',
  expiryExample: 'MM/JJ',
  cV2: 'Prüfziffer',
  codeHintBack: '3 Ziffern auf der Rückseite',
  codeHintFront: '4 Ziffern auf der Vorderseite',
  numberMissing: 'Geben Sie die Nummer Ihrer Karte ein.',
  numberWrong: 'Diese Nummer ist nicht vollständig oder enthält einen Tippfehler.',
  nameMissing: 'Geben Sie den Namen ein, der auf der Karte steht.',
  expiryWrong: 'Geben Sie Monat und Jahr wie auf der Karte ein, zum Beispiel 12/32.',
  expiryPast: 'Diese Karte ist abgelaufen. Prüfen Sie das Datum, oder verwenden Sie eine andere Karte.',
  codeWrongBack: 'Geben Sie die 3 Ziffern auf der Rückseite der Karte ein.',
  codeWrongFront: 'Geben Sie die 4 Ziffern auf der Vorderseite der Karte ein.',
  codeWrong: 'Geben Sie die 3 oder 4 Ziffern der Prüfziffer ein.',
  digitsOnly: 'Hier stehen nur Ziffern. Andere Zeichen wurden weggelassen: Vergleichen Sie bitte mit Ihrer Karte.',
};

const CATALOGUES = { en: ENGLISH, de: GERMAN } as const;
export type FrameLanguage = keyof typeof CATALOGUES;

export function isFrameLanguage(value: unknown): value is FrameLanguage {
  return value === 'en' || value === 'de';
}

/** The first of the browser's languages that the frame has; English without one. A page may choose another. */
export function chooseLanguage(languages: readonly string[]): FrameLanguage {
  return languages.map((each) => each.toLowerCase().split('-')[0]).find(isFrameLanguage) ?? 'en';
}

export function getFrameText(language: FrameLanguage, name: FrameTextName): string {
  return CATALOGUES[language][name];
}
