import type { Message } from '@nearhand/contract/talk/messages';
import { api } from '../../lib/api/api.ts';

/** Sends a message (`messages.send`). Idempotent per client id. */
export const sendMessage = async (input: Parameters<typeof api.messages.send>[0]): Promise<Message> =>
  (await api.messages.send(input, { context: { idempotencyKey: input.clientId } })) as Message;

export const editMessage = async (conversationId: string, seq: number, body: string): Promise<Message> =>
  (await api.messages.edit({ conversationId, seq, body })) as Message;

export const redactMessage = async (conversationId: string, seq: number): Promise<Message> =>
  (await api.messages.redact({ conversationId, seq })) as Message;

export const reactToMessage = async (
  conversationId: string,
  seq: number,
  reaction: Message['reactions'][number]['reaction'] | null,
): Promise<Message> => (await api.messages.react({ conversationId, seq, reaction })) as Message;
