import type { NotificationTopic } from '../notification-topics.ts';
import {
  cutText,
  isolateRightToLeft,
  type NoticeData,
  type NoticeFacts,
  type NoticeFormat,
  readNotice,
} from './notice-facts.ts';
import { type Text, type Texts, text } from './text.ts';
import type { Topic } from './topic.ts';
import { knownTopic } from './topics.ts';

/** A quote of several lines, with our introduction. */
export type QuoteBlock = { lead: string; quoted: string };

const sayAll = (texts: Texts, notice: NoticeFacts, format: NoticeFormat): string[] =>
  texts.filter((text): text is Text => Boolean(text)).map((text) => format.say(text, notice));

const resolve = <Value>(value: Value | ((notice: NoticeFacts) => Value), notice: NoticeFacts): Value =>
  typeof value === 'function' ? (value as (notice: NoticeFacts) => Value)(notice) : value;

/** The quoted text without blank lines; empty if the topic quotes nothing. */
function quoteOf({ quote }: Topic, notice: NoticeFacts): string {
  if (!quote || quote.only?.(notice) === false) return '';
  return (quote.part === 'all' ? notice.all : notice.note)
    .split(/\r\n?|[\n\u0085\u2028\u2029]/)
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const maxInline = 140;
const maxBlock = 500;
const maxWhole = 5_000;

export type TopicTexts = {
  icon: string;
  title: string;
  text: string;
  /** The text without the changes, for screens that strike what no longer holds. */
  lead: string;
  changes: NoticeFacts['changes'];
};

const changeSentences = ({ changes }: NoticeFacts, format: NoticeFormat): string[] =>
  changes.map((change) => format.say(text('{after} instead of {before}.'), change));

/** The title and text for the inbox and pushes. Undefined if the topic comes from a newer server. */
export function topicTexts(topic: string, data: NoticeData, format: NoticeFormat): TopicTexts | undefined {
  const topicInfo = knownTopic(topic);
  if (!topicInfo) return undefined;
  const notice = readNotice(data, format);
  const quote = quoteOf(topicInfo, notice).replace(/\s+/g, ' ');
  const quoted = quote
    ? [format.say(text('“{quote}”'), { quote: isolateRightToLeft(cutText(quote, maxInline)) })]
    : [];
  const sentences = sayAll(topicInfo.text(notice), notice, format);
  const parts = topicInfo.quote?.first ? [...quoted, ...sentences] : [...sentences, ...quoted];
  return {
    icon: topicInfo.icon,
    title: format.say(topicInfo.title(notice), notice),
    text: [...changeSentences(notice, format), ...parts].join(' '),
    lead: parts.join(' '),
    changes: notice.changes,
  };
}

export type MailTexts = {
  subject: string;
  heading: string;
  paragraphs: (string | QuoteBlock)[];
  facts: { label: string; value: string }[];
  action: string;
  why: string;
};

/** The mail's texts: the same title and text, with additions. Undefined if the topic comes from a newer server. */
export function mailTexts(topic: string, data: NoticeData, format: NoticeFormat): MailTexts | undefined {
  const topicInfo = knownTopic(topic);
  if (!topicInfo) return undefined;
  const notice = readNotice(data, format);
  const say = (text: Text) => format.say(text, notice);
  const main = [...changeSentences(notice, format), ...sayAll(topicInfo.text(notice), notice, format)].join(
    ' ',
  );
  const details = sayAll(topicInfo.mail.details?.(notice) ?? [], notice, format);
  const quote = quoteBlock(topicInfo, notice, format);
  const quotes = quote === null ? [] : [quote];
  const paragraphs = [...(main ? [main] : []), ...details];
  return {
    subject: say(topicInfo.mail.subject(notice)),
    heading: say(topicInfo.title(notice)),
    paragraphs: topicInfo.quote?.first ? [...quotes, ...paragraphs] : [...paragraphs, ...quotes],
    facts: (topicInfo.mail.facts?.(notice) ?? []).flatMap(([label, value]) =>
      value ? [{ label: say(label), value: typeof value === 'string' ? value : say(value) }] : [],
    ),
    action: say(resolve(topicInfo.button, notice)),
    why: say(resolve(topicInfo.mail.why, notice)),
  };
}

/** A quote in quotation marks for one line, set off for several; null if there is no quote. */
function quoteBlock(topic: Topic, notice: NoticeFacts, format: NoticeFormat): string | QuoteBlock | null {
  const quote = cutText(quoteOf(topic, notice), topic.quote?.whole ? maxWhole : maxBlock);
  if (!quote || !topic.quote) return null;
  const lead = format.say(topic.quote.lead, notice);
  if (!quote.includes('\n'))
    return format.say(text('{lead}: “{quote}”'), { lead, quote: isolateRightToLeft(quote) });
  return { lead, quoted: quote.split('\n').map(isolateRightToLeft).join('\n') };
}

export const topicName = (
  topic: NotificationTopic,
  format: Pick<NoticeFormat, 'say'>,
): string | undefined => {
  const topicInfo = knownTopic(topic);
  return topicInfo && format.say(topicInfo.name);
};

/** The button label of a notice that requests an action. */
export function topicButton(topic: string, data: NoticeData, format: NoticeFormat): string | undefined {
  const topicInfo = knownTopic(topic);
  if (!topicInfo) return undefined;
  const notice = readNotice(data, format);
  return format.say(resolve(topicInfo.button, notice), notice);
}
