import { useLingui } from '@lingui/react/macro';
import { type ButtonKind, ButtonLink } from '../../ui/controls/button.tsx';

const chatPath = (jobId: string, workerId?: string): string =>
  workerId ? `/chat?job=${jobId}&worker=${workerId}` : `/chat?job=${jobId}`;

/** Links to the conversation about a job, which is created if missing. */
export function MessageLink({
  jobId,
  workerId,
  name,
  kind = 'out',
  size = 's',
  full,
}: {
  jobId: string;
  workerId?: string;
  name?: string;
  kind?: ButtonKind;
  size?: 'm' | 's' | 'xs';
  full?: boolean;
}) {
  const { t } = useLingui();
  return (
    <ButtonLink
      kind={kind}
      size={size}
      full={full ?? false}
      icon="chats-circle"
      to={chatPath(jobId, workerId)}
    >
      {name ? t`Message ${name}` : t`Message`}
    </ButtonLink>
  );
}
