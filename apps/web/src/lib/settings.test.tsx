import { i18n } from '@lingui/core';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { sampleSettings } from '../../test/people.fixtures.ts';
import { ApiError } from './api/api-error.ts';
import { errorText } from './api/error.labels.ts';
import { learnSettings, settingsNow, useSettings } from './settings.ts';

function Ring() {
  return <p>{useSettings().checkInRadiusM} m</p>;
}

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(() => act(() => learnSettings(null)));

it('returns the defaults until the server has responded, then its settings', () => {
  render(<Ring />);
  expect(screen.getByText('150 m')).toBeTruthy();
  act(() => learnSettings({ ...sampleSettings, checkInRadiusM: 300 }));
  expect(screen.getByText('300 m')).toBeTruthy();
});

it("keeps the default of a setting the server doesn't return", () => {
  act(() => learnSettings({ offerHours: 12 } as never));
  expect(settingsNow()).toMatchObject({ offerHours: 12, counterRounds: 3 });
});

it('uses them in errors too', () => {
  const late = new ApiError('interview/reschedule-too-late');
  expect(errorText(late)).toContain('less than 12 hours');
  act(() => learnSettings({ ...sampleSettings, interviewRescheduleClosesHours: 6 }));
  expect(errorText(late)).toContain('less than 6 hours');
});
