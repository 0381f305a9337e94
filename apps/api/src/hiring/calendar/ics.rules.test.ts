import fc from 'fast-check';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { type IcsEvent, icsText } from './ics.rules.ts';

const event = (options: Partial<IcsEvent> = {}): IcsEvent => ({
  uid: 'interview-1@nearhand',
  sequence: 3,
  stamp: new Date('2026-11-21T09:00:00Z'),
  status: 'CONFIRMED',
  summary: 'Interview: Café Lindengracht, Barista',
  where: 'Lindengracht 12, Amsterdam',
  note: '',
  url: 'https://nearhand.example/interview?id=1',
  startsAt: new Date('2026-11-25T09:00:00Z'),
  endsAt: new Date('2026-11-25T09:30:00Z'),
  day: null,
  ...options,
});
const parse = (text: string) => {
  const calendar = new ICAL.Component(ICAL.parse(text));
  return { calendar, events: calendar.getAllSubcomponents('vevent') };
};

describe('a calendar file', () => {
  it('parses in another library', () => {
    const { calendar, events } = parse(icsText([event()]));
    expect(calendar.getFirstPropertyValue('method')).toBe('PUBLISH');
    expect(calendar.getFirstPropertyValue('version')).toBe('2.0');
    const [component] = events;
    if (!component) throw new Error('no event');
    const read = new ICAL.Event(component);
    expect(read.uid).toBe('interview-1@nearhand');
    expect(read.sequence).toBe(3);
    expect(read.startDate.toJSDate().toISOString()).toBe('2026-11-25T09:00:00.000Z');
    expect(read.startDate.zone).toBe(ICAL.Timezone.utcTimezone);
    expect(read.endDate.toJSDate().toISOString()).toBe('2026-11-25T09:30:00.000Z');
    expect(component.getFirstPropertyValue('status')).toBe('CONFIRMED');
    expect(String(component.getFirstPropertyValue('url'))).toBe('https://nearhand.example/interview?id=1');
    const alarm = component.getFirstSubcomponent('valarm');
    expect(String(alarm?.getFirstPropertyValue('trigger'))).toBe('-PT1H');
    expect(alarm?.getFirstPropertyValue('action')).toBe('DISPLAY');
  });

  it('marks cancelled events, without an alarm', () => {
    const [found] = parse(icsText([event({ status: 'CANCELLED' })])).events;
    expect(found?.getFirstPropertyValue('status')).toBe('CANCELLED');
    expect(found?.getFirstSubcomponent('valarm')).toBeNull();
  });

  it('shows a task as an all-day event', () => {
    const text = icsText([event({ day: '2026-12-31' })]);
    expect(text).toContain('DTSTART;VALUE=DATE:20261231\r\n');
    expect(text).toContain('DTEND;VALUE=DATE:20270101\r\n');
  });

  it('escapes any text and folds lines at 75 octets to prevent injection', () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.constantFrom(
        'a\r\nBEGIN:VEVENT\r\nSUMMARY:other',
        'a;b,c\\d\\n"e":f',
        'مقابلة عمل في المقهى '.repeat(20),
        '👩‍👩‍👧‍👦'.repeat(60),
        'X-EVIL:1\nATTENDEE:mailto:a@b.example',
      ),
    );
    fc.assert(
      fc.property(nasty, nasty, nasty, (summary, where, note) => {
        const text = icsText([event({ summary, where, note })]);
        expect(text).not.toMatch(/[^\r]\n|\r[^\n]/);
        for (const row of text.split('\r\n')) expect(Buffer.byteLength(row)).toBeLessThanOrEqual(75);
        const { events } = parse(text);
        expect(events).toHaveLength(1);
        const plain = (given: string) => given.replace(/\r\n?/g, '\n');
        expect(events[0]?.getFirstPropertyValue('summary') ?? '').toBe(plain(summary));
        expect(events[0]?.getFirstPropertyValue('location') ?? '').toBe(plain(where));
        expect(events[0]?.getFirstPropertyValue('description') ?? '').toBe(plain(note));
        expect(events[0]?.getAllProperties('attendee')).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
