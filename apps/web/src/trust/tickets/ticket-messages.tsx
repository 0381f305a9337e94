import { Plural, useLingui } from '@lingui/react/macro';
import type { StoredFile } from '@nearhand/contract/people/files';
import type { TicketMessage } from '@nearhand/contract/trust/tickets';
import { errorText } from '../../lib/api/error.labels.ts';
import { saveStoredFile } from '../../lib/forms/stored-file.ts';
import { dotted, formatBytes, formatDayTime, ownTimeZone } from '../../lib/words/format.ts';
import { MessageText } from '../../talk/messages/message-bubble.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import './ticket-messages.css';

type TicketMessagesProps = {
  messages: readonly TicketMessage[];
  /**
   * Downloads a file.
   * @throws ApiError
   */
  onSave?: (file: StoredFile) => Promise<void>;
};

export function TicketMessages({ messages, onSave = saveStoredFile }: TicketMessagesProps) {
  const { t } = useLingui();
  const save = (file: StoredFile) => onSave(file).catch((error: unknown) => showToast(errorText(error)));
  return (
    <ol className="ticket-messages">
      {messages.map((message) => {
        const isOurs = message.author === 'requester';
        return (
          <li key={message.id} className={isOurs ? 'ticket-message mine' : 'ticket-message'}>
            <p className="sm strong">{isOurs ? t`You` : t`Nearhand`}</p>
            <MessageText body={message.body} />
            {message.files.map((file) => (
              <PlainButton
                key={file.id}
                className="link row wrap g1"
                needsNetwork
                onClick={() => void save(file)}
              >
                <Icon name="download-simple" />
                <span className="break" dir="auto">
                  {file.name}
                </span>
                <span className="sm mute">{formatBytes(file.bytes)}</span>
              </PlainButton>
            ))}
            {message.filesRefused > 0 ? (
              <p className="sm">
                <Plural
                  value={message.filesRefused}
                  one="# file of your email couldn't be accepted."
                  other="# files of your email couldn't be accepted."
                />
              </p>
            ) : null}
            <p className="xs mute">
              {dotted(formatDayTime(message.at, ownTimeZone()), message.byMail && t`by email`)}
            </p>
          </li>
        );
      })}
    </ol>
  );
}
