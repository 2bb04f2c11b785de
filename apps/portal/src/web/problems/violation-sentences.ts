import type { Language } from '@pos/web-ui/messages';

/** The form of a sentence of the service, and the text for it; `{1}` is replaced by the first group of the form. */
type Translation = readonly [form: RegExp, text: string];

const SENTENCES: Readonly<Record<Exclude<Language, 'en'>, readonly Translation[]>> = {
  de: [
    [/^Is required/, 'Ist nötig.'],
    [/^Must not be empty/, 'Darf nicht leer sein.'],
    [/^Must be text/, 'Muss ein Text sein.'],
    [/^Must be a whole number from (.+) to (.+)\.$/, 'Muss eine ganze Zahl von {1} bis {2} sein.'],
    [/^Must be a whole number/, 'Muss eine ganze Zahl sein.'],
    [/^Must be a number/, 'Muss eine Zahl sein.'],
    [/^Must be true or false/, 'Muss ja oder nein sein.'],
    [/^Must (?:each )?be one of (.+)\.$/, 'Muss einer dieser Werte sein: {1}.'],
    [/^Must be at least (\d+) characters/, 'Muss mindestens {1} Zeichen haben.'],
    [/^Must be at most (\d+) characters/, 'Darf höchstens {1} Zeichen haben.'],
    [/^Must be 12 to (\d+) characters/, 'Muss 12 bis {1} Zeichen haben.'],
    [/^Must have a letter and a digit/, 'Muss einen Buchstaben und eine Ziffer haben.'],
    [/^Must have at least (\d+) different characters/, 'Muss mindestens {1} verschiedene Zeichen haben.'],
    [/^Must not be mostly a sequence or a repetition/, 'Darf nicht größtenteils eine Folge oder Wiederholung sein.'],
    [/^Is a common password/, 'Ist ein häufiges Passwort, oder eines mit ein paar Zeichen mehr.'],
    [/^Must not contain your name/, 'Darf weder Ihren Namen noch Ihre E-Mail-Adresse enthalten.'],
    [/^Must not contain the name of the service/, 'Darf den Namen des Dienstes nicht enthalten.'],
    [/^Is one of the last (\d+) passwords/, 'Ist eines Ihrer letzten {1} Passwörter.'],
    [/^Is not locked/, 'Ist nicht gesperrt.'],
    [/^Must be 1 to (\d+) characters/, 'Muss 1 bis {1} Zeichen in einer Zeile haben, ohne Leerzeichen am Rand.'],
    [/^Must be at least (\d+)\.$/, 'Muss mindestens {1} sein.'],
    [/^Must be at most (\d+)\.$/, 'Darf höchstens {1} sein.'],
    [/^Must be between (\d+) and (\d+)\.$/, 'Muss zwischen {1} und {2} liegen.'],
    [/^Must have at least 1 element/, 'Muss mindestens einen Eintrag haben.'],
    [/^Must have at least (\d+) elements/, 'Muss mindestens {1} Einträge haben.'],
    [/^Must have at most (\d+) elements/, 'Darf höchstens {1} Einträge haben.'],
    [/^Is not well formed/, 'Hat nicht die richtige Form.'],
    [/^Is too small/, 'Ist zu klein.'],
    [/^Must be an https address/, 'Muss eine https-Adresse sein.'],
    [
      /^Must be an absolute http or https address of at most (\d+) characters/,
      'Muss eine vollständige Adresse mit https:// sein, höchstens {1} Zeichen.',
    ],
    [/^Is never called: only https is called/, 'Der Dienst ruft nur https-Adressen auf.'],
    [/^Is never called: without https only/, 'Ohne https ruft der Dienst nur Adressen dieses Rechners auf.'],
    [/^Is never called: port (\d+)/, 'Den Port {1} ruft der Dienst nie auf.'],
    [/^Must be an? (?:plain )?e-mail address/, 'Muss eine E-Mail-Adresse sein.'],
    [/^Must be UTC or a zone such as (\S+)\.$/, 'Muss UTC oder eine Zone wie {1} sein.'],
    [/^Must be an ISO 4217 code/, 'Muss ein Währungskürzel aus drei Buchstaben sein, etwa EUR.'],
    [/^Must be a list without repetition of currency codes/, 'Muss eine Liste von Währungskürzeln sein, jedes einmal.'],
    [
      /^Must be amounts in minor units by active currency codes, such as (\S+)\.$/,
      'Muss Beträge in kleinsten Einheiten je Währungskürzel enthalten, etwa {1}.',
    ],
    [/^Is not enabled for this account/, 'Ist für dieses Konto nicht freigeschaltet.'],
    [/^Must be an origin such as (\S+), without a path/, 'Muss ein Ursprung wie {1} sein, ohne Pfad.'],
    [
      /^Must be a list without repetition of at most (\d+) origins such as (\S+)\.$/,
      'Muss ein Ursprung wie {2} sein, der noch nicht in der Liste steht. Höchstens {1} sind möglich.',
    ],
    [/^Must be a list without repetition of (.+)\.$/, 'Muss eine Liste aus diesen Werten sein, jeder einmal: {1}.'],
    [/^Must be a colour such as (\S+)\.$/, 'Muss eine Farbe wie {1} sein.'],
    [/^Must not hold a card number/, 'Darf keine Kartennummer enthalten.'],
    [/^Must not hold the security code/, 'Darf keine Prüfnummer einer Karte enthalten.'],
    [/^Must be in the past/, 'Muss in der Vergangenheit liegen.'],
    [/^Must be in the future/, 'Muss in der Zukunft liegen.'],
    [/^Must be before the end of the span, and in the past/, 'Muss vor dem Ende und in der Vergangenheit liegen.'],
    [/^Must be at most (\d+) days before /, 'Darf höchstens {1} Tage vor dem Ende liegen.'],
    [/^Must not be after /, 'Darf nicht nach dem Ende liegen.'],
    [/^Must be a day that has ended/, 'Muss ein Tag sein, der vorbei ist.'],
    [/^Belongs to another of your views/, 'So heißt schon eine andere Ihrer Ansichten.'],
    [/^Is one too many: at most (\d+) views/, 'Sie haben schon {1} Ansichten. Löschen Sie zuerst eine.'],
    [/^Belongs to a user already/, 'Gehört schon zu einem Benutzer.'],
    [/^Is not a user of the portal/, 'Gehört zu keinem Benutzer des Portals.'],
    [/^Is the TID of /, 'Diese TID hat schon ein anderes Kartengerät.'],
    [/^Is not a payment intent/, 'Ist keine Zahlung dieses Kontos.'],
    [/^At most (\d+) can be (?:refunded|captured)/, 'Das ist mehr, als noch möglich ist.'],
  ],
};

/**
 * The text for a sentence about a member, in the language of the page; null for a sentence without one, which is then
 * shown as the service wrote it. The service names a reason for a whole request, and only a sentence for a member.
 */
export function translateViolation(sentence: string, language: Language): string | null {
  const written = formatSentence(sentence);
  if (language === 'en') return written;
  for (const [form, text] of SENTENCES[language]) {
    const found = form.exec(written);
    if (found !== null) return text.replaceAll(/\{(\d)\}/g, (_, group: string) => found[Number(group)] ?? '');
  }
  return null;
}

/** A message of the service as a sentence: many continue the name of their member, as in `must be a colour`. */
export function formatSentence(message: string): string {
  const begun = `${message.slice(0, 1).toUpperCase()}${message.slice(1)}`;
  return begun === '' || /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
