import { type Currency, currencies } from '@nearhand/contract/currencies';

/** `invoices` includes a business's receipts; `transfer` is how it adds money from its bank; `agreement` is a worker's, on self-billing, and `tax-office` their report to it. */
const statementParts = ['entries', 'invoices', 'budgets', 'transfer', 'agreement', 'tax-office'] as const;
type StatementPart = (typeof statementParts)[number];

export type StatementView<Group extends string> = {
  group: Group;
  /** `2026-11`, a whole year `2026`, or an empty text for all. */
  month: string;
  currency: Currency | undefined;
  line: string | null;
  /** The part of the statement; budgets are a business's. */
  show: StatementPart;
};

const monthShape = /^20\d\d(-(0[1-9]|1[0-2]))?$/;
const idShape = /^[0-9a-f-]{36}$/i;

/** Reads the view from an address; invalid parts are ignored. The first group is the default. */
export function readStatementView<Group extends string>(
  search: string,
  groups: readonly Group[],
): StatementView<Group> {
  const params = new URLSearchParams(search);
  const month = params.get('month') ?? '';
  const line = params.get('line') ?? '';
  return {
    group: groups.find((group) => group === params.get('group')) ?? (groups[0] as Group),
    month: monthShape.test(month) ? month : '',
    currency: currencies.find((currency) => currency === params.get('currency')),
    line: idShape.test(line) ? line : null,
    show: statementParts.find((part) => part === params.get('show')) ?? 'entries',
  };
}

/** The inverse: only what differs from the default, so that a plain statement has a plain address. */
export function writeStatementView<Group extends string>(
  view: StatementView<Group>,
  groups: readonly Group[],
): string {
  const params = new URLSearchParams();
  if (view.group !== groups[0]) params.set('group', view.group);
  if (view.month) params.set('month', view.month);
  if (view.currency) params.set('currency', view.currency);
  if (view.line) params.set('line', view.line);
  if (view.show !== 'entries') params.set('show', view.show);
  const text = params.toString();
  return text ? `?${text}` : '';
}
