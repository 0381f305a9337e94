import type { Scope } from '../../platform/http/scope.ts';
import { isAccepted, type Mac } from '../../platform/sign.ts';

const prefix = 'help+';
const idHex = 32;
/** 96 bits: the local part of an address has at most 64 characters, and mail servers may change its case. */
const signatureHex = 24;

const signatureOf = (mac: Mac, ticketId: string): string =>
  mac('ticket-reply', ticketId).toString('hex').slice(0, signatureHex);

/** Where a reply by mail to this ticket goes; null where the server receives no mail. Useless for any other ticket (ADR 162). */
export function replyAddress(
  { config, sign }: Pick<Scope, 'config' | 'sign'>,
  ticketId: string,
): string | null {
  if (!config.INBOUND_MAIL_DOMAIN) return null;
  return `${prefix}${ticketId.replaceAll('-', '')}${signatureOf(sign, ticketId)}@${config.INBOUND_MAIL_DOMAIN}`;
}

/** The ticket that one of these addresses belongs to; null if we made none of them. */
export function readReplyAddress(
  { config, sign }: Pick<Scope, 'config' | 'sign'>,
  addresses: readonly string[],
): string | null {
  for (const address of addresses) {
    const [local = '', domain, ...rest] = address.toLowerCase().split('@');
    if (domain !== config.INBOUND_MAIL_DOMAIN || rest.length > 0 || !local.startsWith(prefix)) continue;
    const token = local.slice(prefix.length);
    const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})([0-9a-f]+)$/.exec(
      token,
    );
    if (!parts || token.length !== idHex + signatureHex) continue;
    const ticketId = parts.slice(1, 6).join('-');
    if (isAccepted(sign, parts[6] ?? '', (mac) => signatureOf(mac, ticketId))) return ticketId;
  }
  return null;
}
