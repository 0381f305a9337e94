import type { PayoutMethod, Withdrawal, WorkerBalance } from '@nearhand/contract/money/payouts';
import type { Balance } from './payouts.api.ts';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;

export const sampleMethod = (change: Partial<PayoutMethod> = {}): PayoutMethod => ({
  id: id('91'),
  bankName: 'Polder Bank',
  last4: '4300',
  holderName: 'Leila Haddad',
  country: 'NL',
  currency: 'EUR',
  instant: true,
  isDefault: true,
  usableFrom: '2026-11-01T10:00:00Z',
  addedAt: '2026-10-29T10:00:00Z',
  ...change,
});

export const sampleMoney = (change: Partial<WorkerBalance> = {}): WorkerBalance => ({
  currency: 'EUR',
  availableMinor: 15_000,
  pendingMinor: 0,
  reservedMinor: 0,
  nextClearings: [],
  minimumMinor: 1_000,
  instantFeeMinor: 100,
  ...change,
});

export const sampleBalance = (change: Partial<Balance> = {}): Balance => ({
  balances: [sampleMoney()],
  identity: { status: 'verified', reason: null, legalName: 'Leila Haddad' },
  account: null,
  homeCountry: 'NL',
  methods: [sampleMethod()],
  rules: { perDay: 3, leftToday: 3, freeFrom: null, methodHoldDays: 3, clearingDays: 5 },
  tokenUrl: 'http://localhost/sandbox/tokens',
  test: true,
  ...change,
});

export const sampleWithdrawal = (change: Partial<Withdrawal> = {}): Withdrawal => ({
  id: id('81'),
  version: 1,
  status: 'requested',
  amountMinor: 2_000,
  feeMinor: 0,
  getsMinor: 2_000,
  currency: 'EUR',
  speed: 'standard',
  method: { id: id('91'), bankName: 'Polder Bank', last4: '4300', holderName: 'Leila Haddad' },
  requestedAt: '2026-11-21T10:00:00Z',
  cancelBy: '2026-11-21T10:10:00Z',
  arrivesOn: '2026-11-24',
  waiting: false,
  reviewBy: null,
  failure: null,
  refusedBecause: null,
  steps: [{ status: 'requested', at: '2026-11-21T10:00:00Z', failure: null }],
  actions: ['cancel'],
  ...change,
});
