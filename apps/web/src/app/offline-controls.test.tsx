import { screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { setOnline } from '../../test/device.ts';
import type { Handlers } from '../../test/fake-api.ts';
import { renderPart } from '../../test/render-part.tsx';
import { CardMenu } from '../hiring/applicants/card-menu.tsx';
import { sampleApplicant } from '../hiring/pipeline/pipeline.fixtures.ts';
import { TagsSection } from '../hiring/pipeline/tags-section.tsx';
import { SaveSearchChip } from '../hiring/saved-searches/save-search.tsx';
import { ConversationMenu } from '../talk/conversations/conversation-menu.tsx';
import { sampleConversation, sampleMessage } from '../talk/conversations/conversations.fixtures.ts';
import { MessageMenu } from '../talk/messages/message-menu.tsx';
import { SettingsQuiet } from '../talk/notification-settings/notification-settings.screen.tsx';
import { sampleSettings } from '../talk/notification-settings/settings.fixtures.ts';
import { SettingsTopics } from '../talk/notification-settings/settings-topics.tsx';

const nothing = () => {};
const conversation = sampleConversation();
const theirs = sampleMessage(1);

/** Components with their marked and usable controls, and how often each shows the reason (ADR 341). */
const parts: [string, ReactNode, { marked: RegExp[]; usable: RegExp[]; reasons: number }, Handlers?][] = [
  [
    'the menu of a conversation',
    <ConversationMenu key="1" conversation={conversation} open onClose={nothing} />,
    { marked: [/^Mute/, /^Report/, /^Block/], usable: [/^What others can see/], reasons: 3 },
  ],
  [
    'the menu of a message',
    <MessageMenu
      key="2"
      message={theirs}
      beside={null}
      conversation={conversation}
      me={null}
      writable
      {...{ onClose: nothing, onReply: nothing, onEdit: nothing, onReact: nothing }}
    />,
    { marked: [/^Report this message/, /^Thumbs up/], usable: [/^Reply to this message/], reasons: 2 },
  ],
  [
    'the menu of an applicant',
    <CardMenu
      key="3"
      applicant={sampleApplicant({ actions: ['shortlist', 'reject'] })}
      checked={false}
      onClose={nothing}
      onOpen={nothing}
      onMove={nothing}
    />,
    { marked: [/^Shortlist/, /^Reject/], usable: [/^Open/], reasons: 2 },
  ],
  [
    'the tags of an applicant',
    <TagsSection key="4" tags={['reliable']} used={['fast']} error={null} onSet={nothing} />,
    { marked: [/^Remove reliable/, /^fast/], usable: [], reasons: 1 },
  ],
  [
    'a search that is not saved yet',
    <SaveSearchChip key="5" saved={false} onPress={nothing} />,
    { marked: [/^Save search/], usable: [], reasons: 1 },
  ],
  [
    'a search that is saved, which leads to the others',
    <SaveSearchChip key="6" saved onPress={nothing} />,
    { marked: [], usable: [/^Search saved/], reasons: 0 },
  ],
];

const described = (control: HTMLElement): boolean =>
  (control.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .some((id) => document.getElementById(id)?.textContent === 'Needs a connection');

it.each(parts)(
  'without a network %s shows what needs one',
  async (_, part, { marked, usable, reasons }, answers) => {
    const { api } = renderPart(part, { session: 'business', api: answers ?? {} });
    const find = (name: RegExp) => screen.findByRole('button', { name });
    for (const name of [...marked, ...usable]) expect(described(await find(name))).toBe(false);
    setOnline(api, false);
    for (const name of marked) expect([name, described(await find(name))]).toEqual([name, true]);
    for (const name of usable) expect([name, described(await find(name))]).toEqual([name, false]);
    expect(screen.queryAllByText('Needs a connection')).toHaveLength(reasons);
    setOnline(api, true);
    expect(screen.queryByText('Needs a connection')).toBeNull();
  },
);

it('without a network notification settings show once per card that they need one', () => {
  const choices: unknown[] = [];
  const settings = sampleSettings();
  const { api, container } = renderPart(
    <>
      <SettingsQuiet quiet={{ ...settings.quiet, on: true }} onChoose={(quiet) => choices.push(quiet)} />
      <SettingsTopics settings={settings} sides={['work']} onChoose={(change) => choices.push(change)} />
    </>,
    { session: 'worker' },
  );
  setOnline(api, false);
  const cards = [...container.querySelectorAll<HTMLElement>('.card')];
  expect(cards.length).toBeGreaterThan(1);
  for (const card of cards) {
    expect(card.querySelectorAll('.why')).toHaveLength(1);
    for (const control of card.querySelectorAll<HTMLElement>('input, select')) {
      expect(described(control)).toBe(true);
      if (control.matches('[type="checkbox"]')) control.click();
    }
  }
  expect(choices).toEqual([]);
  setOnline(api, true);
  container.querySelector<HTMLElement>('[role="switch"]')?.click();
  expect(choices).toHaveLength(1);
});
