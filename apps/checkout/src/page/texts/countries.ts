import { getLocale } from './texts.js';
import type { TextName } from './english.js';

/** Every country of ISO 3166-1. */
const COUNTRY_CODES =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'.split(
    ' ',
  );
const COUNTRY_DEFAULT = 'GB';

/** Countries whose addresses have no postcode, or one that many people do not know. */
const OPTIONAL_POSTCODE = new Set(
  'AE AG AO AW BF BI BJ BS BW BZ CF CG CI CK CM DJ DM ER FJ GA GD GH GM GQ GY HK IE JM KI KM KN KP LC ML MO MR MW NR NU PA QA RW SB SC SL SR ST SY TD TF TG TK TL TO TT TV UG VU YE ZW'.split(
    ' ',
  ),
);
/** Countries that write the postcode before the town. */
const POSTCODE_FIRST = new Set(
  'AT BE BG CH CZ DE DK EE ES FI FR GR HR HU IS IT LI LT LU LV MC ME MK NL NO PL PT RO RS SE SI SK SM TR VA'.split(' '),
);
const STATE_NAMES: Readonly<Record<string, TextName>> = { US: 'state', AU: 'state', BR: 'state', CA: 'province' };
const POSTCODE_NAMES: Readonly<Record<string, TextName>> = { US: 'zipCode', IE: 'eircode' };

/** How addresses of a country are written. */
export interface AddressForm {
  readonly isPostcodeFirst: boolean;
  readonly postcodeName: TextName;
  readonly isPostcodeRequired: boolean;
  /** Null where addresses name no state. */
  readonly stateName: TextName | null;
}

export function getAddressForm(countryCode: string): AddressForm {
  const isPostcodeRequired = !OPTIONAL_POSTCODE.has(countryCode);
  return {
    isPostcodeFirst: POSTCODE_FIRST.has(countryCode),
    postcodeName: POSTCODE_NAMES[countryCode] ?? (isPostcodeRequired ? 'postcode' : 'postcodeOptional'),
    isPostcodeRequired,
    stateName: STATE_NAMES[countryCode] ?? null,
  };
}

/** Codes and names of all countries, by their name in the payer's language. */
export function listCountries(): [string, string][] {
  const { locale } = getLocale();
  const names = new Intl.DisplayNames([locale], { type: 'region' });
  return COUNTRY_CODES.map((code): [string, string] => [code, names.of(code) ?? code]).sort(
    ([, firstName], [, secondName]) => firstName.localeCompare(secondName, locale),
  );
}

/** The country of the payer's locale; the default for a locale without one. */
export function guessCountry(): string {
  const { region } = new Intl.Locale(getLocale().locale).maximize();
  return region !== undefined && COUNTRY_CODES.includes(region) ? region : COUNTRY_DEFAULT;
}
