// The partner registry: software houses and resellers, whether requests must name them, and their turnover.
export {
  adoptPartners,
  changePartner,
  changePartnerStatus,
  enforcePartners,
  findUnregisteredPartners,
  listPartners,
  registerPartner,
  type UnregisteredPartners,
  USED_DAYS_MAX,
} from './partner-administration.js';
export { REPORT_DAYS_MAX, reportPartners } from './partner-report.js';
