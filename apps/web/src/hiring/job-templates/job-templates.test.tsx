import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { type } from '../../../test/typing.ts';
import { sampleJob, sampleTemplate } from '../jobs/jobs.fixtures.ts';
import { FromTemplate } from './from-template.tsx';
import { SaveTemplateSheet } from './save-template.tsx';

const now = '2026-11-26T10:00:00Z';

function open(api: Handlers = {}, props: { day?: string } = { day: '2026-11-30' }) {
  const onPosted = vi.fn();
  const business = { ...sampleBusiness(), status: 'verified' } as const;
  const rendered = renderPart(<FromTemplate business={business} {...props} onPosted={onPosted} />, {
    session: 'business',
    now,
    api: {
      'jobTemplates.list': [sampleTemplate()],
      'roster.sameShiftDays': { days: [] },
      ...api,
    },
  });
  return { ...rendered, onPosted };
}

describe('posting from a template', () => {
  it('posts the same shift on five weekdays in five presses', async () => {
    const { api, onPosted } = open({ 'jobTemplates.post': sampleJob() });
    await press('Use a template');
    await screen.findByText('Weekday morning');
    for (const day of ['Tuesday 1', 'Wednesday 2', 'Thursday 3', 'Friday 4'])
      fireEvent.click(screen.getByRole('button', { name: `${day} December` }));
    // Six paid hours at 18, with a tenth of it, five times.
    expect(screen.getByText('€594')).toBeTruthy();
    await press('Post 5 shifts');
    await waitFor(() => expect(onPosted).toHaveBeenCalledTimes(1));
    expect(api.inputs('jobTemplates.post')).toEqual([
      {
        templateId: sampleTemplate().id,
        startsAt: '2026-11-30T07:00:00.000Z',
        endsAt: '2026-11-30T13:00:00.000Z',
        headCount: 1,
        alsoOn: ['2026-12-01', '2026-12-02', '2026-12-03', '2026-12-04'],
        asDraft: false,
      },
    ]);
  });

  it('marks the days that have the shift already', async () => {
    const { api } = open({ 'roster.sameShiftDays': { days: ['2026-12-01'] } });
    await press('Use a template');
    expect(await screen.findByRole('button', { name: /^Tuesday 1 December.*planned already/ })).toBeTruthy();
    expect(screen.getByText('Days with a dot have this shift already.')).toBeTruthy();
    const { title, from, to } = sampleTemplate();
    expect(api.inputs('roster.sameShiftDays')).toMatchObject([
      { title, from, to, first: '2026-11-30', last: '2026-12-20' },
    ]);
  });

  it("starts with the head count, and tomorrow if today's hours have begun", async () => {
    open({ 'jobTemplates.list': [sampleTemplate({ headCount: 2 })] }, {});
    await press('Use a template');
    expect((await screen.findByLabelText<HTMLInputElement>('People')).value).toBe('2');
    expect(screen.getByLabelText<HTMLInputElement>('Day').value).toBe('2026-11-27');
  });

  it('asks which one, and keeps the text when it is rejected', async () => {
    const evening = sampleTemplate({
      id: '0193aaaa-0000-7000-8000-0000000000f2',
      name: 'Evening',
      from: null,
      to: null,
    });
    const { api, onPosted } = open({
      'jobTemplates.list': [evening, sampleTemplate()],
      'jobTemplates.post': () => {
        throw refuse('branch/closed');
      },
    });
    await press('Use a template');
    await press(/^Evening/);
    await press('Post shift');
    expect(await screen.findByText('Choose a start time.')).toBeTruthy();
    type('From', '18:00');
    type('To', '23:00');
    await press('Post shift');
    expect(await screen.findByText(/This branch is closed/)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('From').value).toBe('18:00');
    expect(api.calls('jobTemplates.post')).toHaveLength(1);
    expect(onPosted).not.toHaveBeenCalled();
  });

  it('appears once there is a template', async () => {
    const { api } = open({ 'jobTemplates.list': [] });
    await waitFor(() => expect(api.calls('jobTemplates.list')).toHaveLength(1));
    expect(screen.queryByRole('button', { name: 'Use a template' })).toBeNull();
  });
});

describe('saving a template', () => {
  it('replaces one of the same name only on request', async () => {
    const onClose = vi.fn();
    const { api } = renderPart(<SaveTemplateSheet job={sampleJob()} open onClose={onClose} />, {
      session: 'business',
      api: {
        'jobTemplates.save': ({ replace }) => {
          if (!replace) throw refuse('job-template/name-taken');
          return sampleTemplate();
        },
      },
    });
    type('Template name', 'Weekday morning');
    await press('Save template');
    expect(await screen.findByText('You already have a template with this name.')).toBeTruthy();
    await press('Replace it');
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
    expect(api.inputs('jobTemplates.save').map(({ name, replace }) => [name, replace])).toEqual([
      ['Weekday morning', false],
      ['Weekday morning', true],
    ]);
  });
});
