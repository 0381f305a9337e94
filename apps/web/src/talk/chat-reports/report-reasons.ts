import { t } from '@lingui/core/macro';
import type { ChatReportReason } from '@nearhand/contract/talk/chat-reports';

const reportReasonTexts: Record<ChatReportReason, () => string> = {
  harassment: () => t`Insults, threats or harassment`,
  scam: () => t`Scam or asking for money`,
  'off-platform': () => t`Wants to pay or agree outside Nearhand`,
  spam: () => t`Advertising or spam`,
  illegal: () => t`Something illegal`,
  other: () => t`Something else`,
};
export const reportReasons = Object.keys(reportReasonTexts) as ChatReportReason[];
export const reportReasonText = (reason: ChatReportReason): string => reportReasonTexts[reason]();
