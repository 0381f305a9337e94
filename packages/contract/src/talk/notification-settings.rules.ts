import { dayMinutes, minuteMs } from '../durations.ts';
import { minuteIn, nextAt } from '../zoned-time.ts';
import type { QuietHours } from './notification-settings.ts';
import type { Channel, ChannelChoice } from './notification-topics.ts';
import type { Topic } from './topics/topic.ts';
import { canBeDaily, isLocked } from './topics/topics.ts';

export type Choices = Partial<Record<Channel, ChannelChoice>>;

export type Reader = {
  choices: Choices;
  quiet: QuietHours;
  devices: readonly string[];
  email: 'ok' | 'not-verified' | 'refused' | 'disabled';
  /** The conversation of the notification is open on the reader's screen. */
  looking: boolean;
};

/** The choice in force: locked channels stay on, and only some topics can be mailed daily. */
export function choiceOf(topic: Topic, channel: Channel, choices: Choices): ChannelChoice {
  const choice = choices[channel] ?? 'on';
  if (isLocked(topic, channel)) return 'on';
  return choice === 'daily' && (channel !== 'email' || !canBeDaily(topic)) ? 'on' : choice;
}

/** Other choices are not stored. */
export const canChoose = (topic: Topic, channel: Channel, choice: ChannelChoice): boolean =>
  !isLocked(topic, channel) && (choice !== 'daily' || (channel === 'email' && canBeDaily(topic)));

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Start inclusive, end exclusive, over midnight if it ends earlier than it begins; an empty range never applies. */
export function isQuiet(quiet: QuietHours, now: Date): boolean {
  if (!quiet.on) return false;
  const from = minuteOf(quiet.from);
  const to = minuteOf(quiet.to);
  const minute = minuteIn(quiet.timeZone, now);
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** The end of quiet hours. When clocks change: the end as shown or the remaining minutes, whichever comes first. */
export function quietUntil(quiet: QuietHours, now: Date): Date {
  let at = now;
  for (let tries = 0; tries < 4 && isQuiet(quiet, at); tries += 1) {
    const end = minuteOf(quiet.to);
    const lacking = (end - minuteIn(quiet.timeZone, at) + dayMinutes) % dayMinutes;
    const passed = new Date(Math.floor(at.getTime() / minuteMs) * minuteMs + lacking * minuteMs);
    const next = nextAt(quiet.timeZone, end, at);
    at = !isQuiet(quiet, passed) && passed < next ? passed : next;
  }
  return at;
}
