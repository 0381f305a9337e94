import { describe, expect, it } from 'vitest';
import { sampleSettings, sampleTopic } from './settings.fixtures.ts';
import { applyChange, changeAll, channelState, groupTopics, undoOf } from './settings.rules.ts';

const settings = sampleSettings();
const choiceOf = (of: typeof settings, name: string) => of.topics.find(({ topic }) => topic === name)?.choice;

describe('applyChange', () => {
  it('changes only its own fields', () => {
    const after = applyChange(settings, {
      topics: [{ topic: 'application-viewed', channel: 'email', choice: 'daily' }],
    });
    expect(choiceOf(after, 'application-viewed')).toEqual({ app: 'on', push: 'on', email: 'daily' });
    expect(after.topics.slice(1)).toEqual(settings.topics.slice(1));
    expect(after.quiet).toEqual(settings.quiet);
  });

  it('keeps locked and urgent ones', () => {
    const after = applyChange(settings, {
      topics: [
        { topic: 'withdrawal-failed', channel: 'email', choice: 'off' },
        { topic: 'offer-received', channel: 'email', choice: 'daily' },
        { topic: 'offer-received', channel: 'push', choice: 'daily' },
      ],
    });
    expect(after).toEqual(settings);
  });

  it('is undone without touching later changes', () => {
    const first = { topics: [{ topic: 'application-viewed', channel: 'push', choice: 'off' } as const] };
    const undo = undoOf(settings, first);
    const both = applyChange(applyChange(settings, first), {
      topics: [{ topic: 'application-rejected', channel: 'push', choice: 'off' }],
    });
    const after = applyChange(both, undo);
    expect(choiceOf(after, 'application-viewed')?.push).toBe('on');
    expect(choiceOf(after, 'application-rejected')?.push).toBe('off');
    const quiet = { ...settings.quiet, on: false };
    expect(undoOf(settings, { quiet })).toEqual({ quiet: settings.quiet });
  });
});

describe('a group', () => {
  const can = sampleTopic();
  const cannot = sampleTopic({ topic: 'offer-received', daily: false });
  const locked = sampleTopic({ topic: 'withdrawal-failed', locked: ['app', 'email'] });

  it('is one choice, or mixed', () => {
    expect(channelState([can, cannot], 'push')).toBe('on');
    const off = { ...cannot, choice: { ...cannot.choice, push: 'off' as const } };
    expect(channelState([can, off], 'push')).toBe('mixed');
    expect(channelState([locked, { ...can, choice: { ...can.choice, email: 'off' } }], 'email')).toBe('off');
    expect(channelState([locked], 'email')).toBe('on');
  });

  it('changes together, urgent ones immediately', () => {
    expect(changeAll([can, cannot, locked], 'email', 'daily')).toEqual([
      { topic: 'application-viewed', channel: 'email', choice: 'daily' },
    ]);
    const daily = { ...can, choice: { ...can.choice, email: 'daily' as const } };
    expect(channelState([daily, cannot], 'email')).toBe('daily');
    expect(changeAll([daily, cannot, locked], 'email', 'off').map(({ topic }) => topic)).toEqual([
      'application-viewed',
      'offer-received',
    ]);
  });

  it('appears only to those it concerns', () => {
    const names = (sides: ('work' | 'hire')[]) =>
      groupTopics(settings.topics, sides).map(({ group, topics }) => [group, topics.length]);
    expect(names(['work'])).toEqual([
      ['applications', 2],
      ['offers', 1],
      ['money', 2],
    ]);
    expect(names(['hire'])).toEqual([['applications', 1]]);
  });
});
