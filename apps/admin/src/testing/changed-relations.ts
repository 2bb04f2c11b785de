/** The relations that commands change. */
export const CHANGED_RELATIONS = [
  ...['accounts', 'locations', 'terminals', 'machine_bindings', 'api_keys', 'epos_integrations', 'sandbox_clocks'],
  ...['operator_calls', 'reconciliations', 'timers', 'lanes', 'deliveries', 'webhook_replays', 'agreed_settings'],
  ...['settlement_files', 'settlement_days', 'portal_users', 'portal_memberships', 'merchant_ids'],
  ...['portal_sessions', 'portal_sign_in_attempts', 'partners', 'partner_registry'],
  ...['operator_approvals', 'operator_rules', 'deposit_claims'],
];
