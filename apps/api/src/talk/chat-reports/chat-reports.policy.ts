/** Operators never decide about a conversation they or their business take part in, nor about their own report. */
export const mayDecide = (
  accountId: string,
  about: { workerId: string; reporterId: string; isMember: boolean },
): boolean => accountId !== about.workerId && accountId !== about.reporterId && !about.isMember;
