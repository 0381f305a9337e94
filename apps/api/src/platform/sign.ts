import { createHmac } from 'node:crypto';

/** Signs a text for a purpose with the server's secret: the same on every server of a deployment, and useless for another purpose. */
export type Sign = (purpose: string, text: string) => Buffer;

export const createSign =
  (secret: string): Sign =>
  (purpose, text) =>
    createHmac('sha256', secret).update(`${purpose}\n${text}`).digest();
