import { minuteMs } from '@nearhand/contract/durations';
import { serviceStatusLimits } from '@nearhand/contract/trust/service-status.rules';

type Times = { startsAt: string; endsAt: string | null };

/** Whether everyone sees a message at this time. A minute ahead is now: `now` is read every half minute, and the server's clock may be ahead. */
export function messageState({ startsAt, endsAt }: Times, now: Date): 'shown' | 'planned' | 'over' {
  if (endsAt !== null && Date.parse(endsAt) <= now.getTime()) return 'over';
  return Date.parse(startsAt) > now.getTime() + minuteMs ? 'planned' : 'shown';
}

/** What the server would refuse of a new message; `from` and `until` are local times or empty. */
export function problemsOf({ text, from, until }: { text: string; from: string; until: string }): {
  text?: string;
  from?: string;
  until?: string;
} {
  const { textMax } = serviceStatusLimits;
  const length = text.trim().length;
  return {
    ...(length === 0 ? { text: 'Write the message.' } : {}),
    ...(length > textMax ? { text: `Use at most ${textMax} characters.` } : {}),
    ...(until !== '' && from !== '' && Date.parse(until) <= Date.parse(from)
      ? { until: 'Choose a time after the start.' }
      : {}),
  };
}
