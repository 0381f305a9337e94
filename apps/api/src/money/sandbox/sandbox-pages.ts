import { type Currency, currencyDigits } from '@nearhand/contract/currencies';
import { escapeHtml } from '../../platform/escape-html.ts';

type Charge = {
  ref: string;
  amountMinor: number;
  currency: Currency;
  description: string;
  returnUrl: string;
};

const amountText = ({ amountMinor, currency }: Pick<Charge, 'amountMinor' | 'currency'>): string => {
  const digits = currencyDigits[currency] ?? 2;
  const text = String(amountMinor).padStart(digits + 1, '0');
  return `${digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`} ${currency}`;
};

const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Sandbox bank</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/sandbox/style.css">
</head>
<body>
<main>
<p class="name">Sandbox bank</p>
${body}
<p class="quiet">This page stands in for the bank of a card. No money moves here.</p>
</main>
</body>
</html>
`;

export const confirmPage = (charge: Charge): string =>
  page(
    'Confirm payment',
    `<h1>Confirm this payment</h1>
<dl>
<div><dt>Amount</dt><dd class="amount">${escapeHtml(amountText(charge))}</dd></div>
<div><dt>For</dt><dd dir="auto">${escapeHtml(charge.description) || 'Nearhand'}</dd></div>
</dl>
<form method="post" action="/sandbox/confirm/${escapeHtml(charge.ref)}">
<button name="decision" value="approve" class="main">Approve</button>
<button name="decision" value="refuse">Refuse</button>
</form>`,
  );

const outcomes: Record<string, { title: string; text: string }> = {
  succeeded: { title: 'Payment approved', text: 'The card was charged.' },
  failed: { title: 'Payment refused', text: 'The card was not charged.' },
  cancelled: {
    title: 'Payment stopped',
    text: 'It was cancelled before it was confirmed. The card was not charged.',
  },
  processing: { title: 'Payment in progress', text: 'There is nothing to confirm.' },
};

export function endedPage(charge: Charge & { status: string }): string {
  const { title, text } = outcomes[charge.status] ?? (outcomes.processing as { title: string; text: string });
  return page(
    title,
    `<h1>${title}</h1>
<p>${escapeHtml(amountText(charge))}. ${text}</p>
<p><a class="button main" href="${escapeHtml(charge.returnUrl)}">Back to Nearhand</a></p>`,
  );
}

export const unknownPaymentPage = (): string =>
  page(
    'Not found',
    '<h1>Not found</h1>\n<p>This payment does not exist.</p>\n<p><a class="button" href="/">Back to Nearhand</a></p>',
  );

type Told = { seq: number; id: string; type: string; ref: string; at: Date; deliveries: string | null };

export const eventsPage = (events: readonly Told[]): string =>
  page(
    'Events',
    `<h1>Events</h1>
${events.length === 0 ? '<p>Nothing has happened yet.</p>' : ''}
<ol>${events
      .map(
        ({ seq, type, ref, at, deliveries }) => `<li><strong>${seq}. ${escapeHtml(type)}</strong>
<span class="ref">${escapeHtml(ref)}</span>
<span class="quiet"><time datetime="${at.toISOString()}">${at.toISOString().slice(0, 19).replace('T', ' ')} UTC</time>, webhook: ${escapeHtml(deliveries ?? 'none')}</span></li>`,
      )
      .join('\n')}</ol>`,
  );

/** The colours of the app's tokens. */
export const style = `:root { color-scheme: light dark; --bg: #F6F2E8; --surface: #FFFDF8; --line: #E3DBCA; --edge: #858B7F; --text: #12352A; --text-2: #4A6056; --action: #BC430C; --on-action: #FFFFFF; --focus: #1E5FB0; }
@media (prefers-color-scheme: dark) { :root { --bg: #0E1512; --surface: #17201B; --line: #2A362F; --edge: #6E7F75; --text: #EDF3EC; --text-2: #A9B8AE; --action: #FF9A5C; --on-action: #27100A; --focus: #8FC0FF; } }
* { box-sizing: border-box; }
html { background: var(--bg); color: var(--text); }
body { margin: 0; padding: 24px 20px; font: 16px/1.5 Figtree, system-ui, sans-serif; }
main { max-width: 440px; margin: 0 auto; padding: 24px; background: var(--surface); border: 1px solid var(--line); border-radius: 20px; overflow-wrap: anywhere; }
.name { margin: 0 0 16px; font-weight: 600; color: var(--text-2); }
h1 { margin: 0 0 16px; font-size: 23px; line-height: 1.25; }
dl { margin: 0 0 24px; }
dl div { padding: 12px 0; border-top: 1px solid var(--line); }
dt { font-size: 14px; color: var(--text-2); }
dd { margin: 0; }
.amount { font-size: 23px; font-weight: 600; font-variant-numeric: tabular-nums; }
form { display: grid; gap: 12px; }
button, .button { display: block; width: 100%; min-height: 52px; padding: 12px 20px; border: 1.5px solid var(--edge); border-radius: 999px; background: transparent; color: var(--text); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; }
.main { border-color: transparent; }
button.main, .button.main { background: var(--action); color: var(--on-action); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.quiet { margin: 20px 0 0; font-size: 14px; color: var(--text-2); }
ol { list-style: none; margin: 0; padding: 0; }
li { display: grid; gap: 4px; padding: 12px 0; border-top: 1px solid var(--line); }
li .quiet { margin: 0; }
.ref { font-family: ui-monospace, monospace; font-size: 14px; }
`;
