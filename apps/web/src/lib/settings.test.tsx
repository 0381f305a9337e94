import { i18n } from '@lingui/core';
import { limits } from '@nearhand/contract/limits';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { errorText } from './error-text.ts';
import { learnSettings, settingsNow, useSettings } from './settings.ts';

function Ring() {
  return <p>{useSettings().checkInRadiusM} m</p>;
}

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(() => act(() => learnSettings(null)));

it('states the defaults until the server has said, then what is set there', () => {
  render(<Ring />);
  expect(screen.getByText('150 m')).toBeTruthy();
  act(() => learnSettings({ ...limits, checkInRadiusM: 300 }));
  expect(screen.getByText('300 m')).toBeTruthy();
});

it('keeps the default of a number that the server does not know of', () => {
  act(() => learnSettings({ offerHours: 12 } as never));
  expect(settingsNow()).toMatchObject({ offerHours: 12, counterRounds: 3 });
});

it('says them in a refusal too', () => {
  const late = new ApiError('interview/reschedule-too-late');
  expect(errorText(late)).toContain('less than 12 hours');
  act(() => learnSettings({ ...limits, interviewRescheduleClosesHours: 6 }));
  expect(errorText(late)).toContain('less than 6 hours');
});
