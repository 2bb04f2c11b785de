// Generated from the events that the played examples have caused; `pnpm golden --filter=@pos/tools` rewrites it.

/** For each kind of payment its requests that cause events, and the events of each in their order. */
export const EVENT_USE_CASES = [
  {
    key: 'refunded',
    steps: [
      {
        method: 'POST',
        path: '/payment-intents',
        events: [{ kind: 'payment_intent.created', value: 'Created' }],
      },
      {
        method: 'POST',
        path: '/client/payments',
        events: [
          { kind: 'payment_intent.status_updated', value: 'Captured' },
          { kind: 'payment_intent.amount_captured', value: 'Captured' },
        ],
      },
      {
        method: 'POST',
        path: '/payment-intents/{paymentIntentId}/receipt',
        events: [{ kind: 'payment_intent.send-receipt', value: 'Captured' }],
      },
      {
        method: 'POST',
        path: '/payment-intents/public/{paymentIntentId}/receipt',
        events: [{ kind: 'payment_intent.send-receipt', value: 'Captured' }],
      },
      {
        method: 'POST',
        path: '/payment-intents/{paymentIntentId}/refunds',
        events: [{ kind: 'payment_intent.amount_refunded', value: 'Captured' }],
      },
    ],
  },
  {
    key: 'held',
    steps: [
      {
        method: 'POST',
        path: '/payment-intents',
        events: [{ kind: 'payment_intent.created', value: 'Created' }],
      },
      {
        method: 'POST',
        path: '/client/payments',
        events: [{ kind: 'payment_intent.status_updated', value: 'Authorized' }],
      },
      {
        method: 'POST',
        path: '/payment-intents/{paymentIntentId}/captures',
        events: [{ kind: 'payment_intent.amount_captured', value: 'Authorized' }],
      },
      {
        method: 'POST',
        path: '/sandbox/clock/advance',
        events: [{ kind: 'payment_intent.status_updated', value: 'Captured' }],
      },
    ],
  },
  {
    key: 'reversed',
    steps: [
      {
        method: 'POST',
        path: '/payment-intents',
        events: [{ kind: 'payment_intent.created', value: 'Created' }],
      },
      {
        method: 'POST',
        path: '/client/payments',
        events: [
          { kind: 'payment_intent.status_updated', value: 'Captured' },
          { kind: 'payment_intent.amount_captured', value: 'Captured' },
        ],
      },
      {
        method: 'POST',
        path: '/payment-intents/{paymentIntentId}/reversal',
        events: [{ kind: 'payment_intent.status_updated', value: 'Reversed' }],
      },
    ],
  },
  {
    key: 'canceled',
    steps: [
      {
        method: 'POST',
        path: '/payment-intents',
        events: [{ kind: 'payment_intent.created', value: 'Created' }],
      },
      {
        method: 'DELETE',
        path: '/payment-intents/{paymentIntentId}',
        events: [{ kind: 'payment_intent.status_updated', value: 'Canceled' }],
      },
    ],
  },
  {
    key: 'challenged',
    steps: [
      {
        method: 'POST',
        path: '/payment-intents',
        events: [{ kind: 'payment_intent.created', value: 'Created' }],
      },
      {
        method: 'POST',
        path: '/client/payments/challenge',
        events: [
          { kind: 'payment_intent.status_updated', value: 'Captured' },
          { kind: 'payment_intent.amount_captured', value: 'Captured' },
        ],
      },
    ],
  },
  {
    key: 'charged',
    steps: [
      {
        method: 'POST',
        path: '/payment-intents',
        events: [{ kind: 'payment_intent.created', value: 'Created' }],
      },
      {
        method: 'POST',
        path: '/payment-intents/{paymentIntentId}/charge',
        events: [
          { kind: 'payment_intent.status_updated', value: 'Captured' },
          { kind: 'payment_intent.amount_captured', value: 'Captured' },
        ],
      },
    ],
  },
  {
    key: 'onMachine',
    steps: [
      {
        method: 'POST',
        path: '/payment-intents',
        events: [{ kind: 'payment_intent.created', value: 'Created' }],
      },
      {
        method: 'POST',
        path: '/terminal-sessions',
        events: [
          { kind: 'terminal_session.created', value: 'InitiateRequested' },
          { kind: 'terminal_session.status_updated', value: 'Initiated' },
          { kind: 'terminal_session.notification', value: null },
          { kind: 'payment_intent.status_updated', value: 'Captured' },
          { kind: 'payment_intent.amount_captured', value: 'Captured' },
          { kind: 'terminal_session.status_updated', value: 'Captured' },
        ],
      },
    ],
  },
  {
    key: 'signed',
    steps: [
      {
        method: 'POST',
        path: '/payment-intents',
        events: [{ kind: 'payment_intent.created', value: 'Created' }],
      },
      {
        method: 'POST',
        path: '/terminal-sessions',
        events: [
          { kind: 'terminal_session.created', value: 'InitiateRequested' },
          { kind: 'terminal_session.status_updated', value: 'Initiated' },
          { kind: 'terminal_session.notification', value: null },
          { kind: 'terminal_session.status_updated', value: 'SignatureVerificationRequired' },
          { kind: 'terminal_session.signature_verification_required', value: 'SignatureVerificationRequired' },
        ],
      },
      {
        method: 'PUT',
        path: '/terminal-sessions/{terminalSessionId}/signature',
        events: [
          { kind: 'payment_intent.status_updated', value: 'Captured' },
          { kind: 'payment_intent.amount_captured', value: 'Captured' },
          { kind: 'terminal_session.status_updated', value: 'SignatureVerificationAccepted' },
          { kind: 'terminal_session.status_updated', value: 'Captured' },
        ],
      },
    ],
  },
] as const;
