/** Only its author may edit or delete a message. */
export const isAuthor = (accountId: string, message: { authorId: string | null }): boolean =>
  message.authorId === accountId;
