import { useLingui } from '@lingui/react/macro';
import { ApiError, type ApiErrorCode } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { useOnline } from '../../lib/device/online.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { OutgoingFiles } from '../outbox/message-files.part.tsx';
import type { Outgoing } from '../outbox/outbox.api.ts';
import { dropMessage, retryMessage, useSendProgress, useWaitsFor } from '../outbox/outbox.api.ts';
import { MessageText, QuoteText } from './message-bubble.part.tsx';
import { stampText } from './message-text.part.ts';

/** An undelivered message: in progress, waiting for a connection, or refused with actions. */
export function OutgoingBubble({ entry, words }: { entry: Outgoing; words: string }) {
  const { t } = useLingui();
  const online = useOnline();
  const progress = useSendProgress(entry.clientId);
  const waitsFor = useWaitsFor(entry.conversationId);
  const failed = entry.refusal !== null;
  const percent = progress === null ? null : Math.round(progress * 100);
  return (
    <div className="chat-line me">
      <div className="chat-row">
        <div id={words} className={failed ? 'msg me failed' : 'msg me waiting'}>
          <span className="vh">{t`You:`} </span>
          {entry.replyTo ? (
            <span className="chat-quote">
              <QuoteText reply={entry.replyTo} />
            </span>
          ) : null}
          {entry.files.length > 0 ? <OutgoingFiles entry={entry} /> : null}
          {entry.body ? <MessageText body={entry.body} /> : null}
        </div>
      </div>
      {failed ? (
        <div className="chat-failed" role="alert">
          <p className="xs danger">
            <Icon name="warning-circle" />
            {t`Not sent.`} {errorText(new ApiError(entry.refusal as ApiErrorCode))}
          </p>
          <span className="row g1 wrap">
            <Button kind="text" size="xs" onClick={() => void retryMessage(entry.clientId)}>
              {t`Send again`}
            </Button>
            <Button kind="text" size="xs" onClick={() => void dropMessage(entry.clientId)}>
              {t`Delete`}
            </Button>
          </span>
        </div>
      ) : (
        <span className="stamp">
          <Icon name="clock" />
          <time dateTime={entry.at} className="num">
            {stampText(entry.at)}
          </time>
          <span>
            {percent !== null && entry.files.length > 0
              ? t`Sending, ${percent}%`
              : !online || waitsFor === 'connection'
                ? t`Waiting for a connection`
                : waitsFor === 'server'
                  ? t`Not sent yet. Trying again.`
                  : t`Sending`}
          </span>
        </span>
      )}
    </div>
  );
}
