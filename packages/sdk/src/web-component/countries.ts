/**
 * The countries of ISO 3166-1. Each group is a first letter and all second letters after it: `DEJKMOZ` is DE, DJ, DK, DM,
 * DO and DZ. Compressed, this form takes half a kilobyte less of the component than the codes themselves.
 */
const GROUPS =
  'ADEFGILMOQRSTUWXZ BABDEFGHIJLMNOQRSTVWYZ CACDFGHIKLMNORUVWXYZ DEJKMOZ ECEGHRST FIJKMOR GABDEFGHILMNPQRSTUWY HKMNRTU IDELMNOQRST JEMOP KEGHIMNPRWYZ LABCIKRSTUVY MACDEFGHKLMNOPQRSTUVWXYZ NACEFGILOPRUZ OM PAEFGHKLMNRSTWY QA REOSUW SABCDEGHIJKLMNORSTVXYZ TCDFGHJKLMNORTVWZ UAGMSYZ VACEGINU WFS YET ZAMW';

/** The codes of all countries in alphabetical order. */
export const COUNTRY_CODES: readonly string[] = GROUPS.split(' ').flatMap(([first = '', ...seconds]) =>
  seconds.map((second) => first + second),
);
