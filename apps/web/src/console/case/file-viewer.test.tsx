import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { CaseFiles } from './case-messages.tsx';
import { pictureStyle } from './file-viewer.tsx';

beforeEach(() => {
  URL.createObjectURL = () => 'blob:file';
  URL.revokeObjectURL = () => {};
});

const subjectId = '01a1fbbc-d019-79f0-8086-994049deb373';
const path = '/files/01a1fbbc-d019-79f0-8086-994049deb374';
const open = (name: string, mediaType: string) => {
  const claimHeaders: (string | null)[] = [];
  renderPart(
    <CaseFiles
      caseRef={{ kind: 'ticket', subjectId }}
      files={[{ id: subjectId, purpose: 'ticket', name, mediaType, bytes: 2_048, path }]}
    />,
    {
      session: 'worker',
      api: {
        [`GET /api${path}`]: ({ headers }: Request) => {
          claimHeaders.push(headers.get('x-operator-case'));
          return new Response('bytes');
        },
      } as never,
    },
  );
  fireEvent.click(screen.getByRole('button', { name: new RegExp(name) }));
  return claimHeaders;
};

it('shows a picture of a case with zoom, fetched once by its claim', async () => {
  const claimHeaders = open('bench.png', 'image/webp');
  const dialog = await screen.findByRole('dialog', { name: 'bench.png' });
  const picture = await within(dialog).findByRole('img', { name: 'bench.png' });
  expect(picture.getAttribute('src')).toBe('blob:file');
  expect(within(dialog).getByRole('button', { name: 'Zoom out' })).toHaveProperty('disabled', true);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Zoom in' }));
  expect(within(dialog).getByRole('status').textContent).toBe('150%');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Turn left' }));
  fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('img')).toBeNull();
  expect(claimHeaders).toEqual([`ticket/${subjectId}`]);
});

it('shows a PDF in the browser’s own viewer', async () => {
  open('lease.pdf', 'application/pdf');
  const dialog = await screen.findByRole('dialog', { name: 'lease.pdf' });
  expect((await within(dialog).findByTitle('lease.pdf')).getAttribute('src')).toBe('blob:file');
  expect(within(dialog).queryByRole('button', { name: 'Zoom in' })).toBeNull();
  within(dialog).getByRole('button', { name: 'Download' });
});

it('fits a picture that was turned on its side into the pane', () => {
  const sizes = { picture: { width: 400, height: 200 }, pane: { width: 400, height: 200 } };
  const styleAfter = (quarterTurns: number) => pictureStyle(sizes, { factor: 1, quarterTurns });
  expect(styleAfter(0)).toEqual({ inlineSize: '400px', rotate: '0deg', margin: '0px 0px' });
  // 200 wide and 100 high, which stands as 100 by 200 in the middle of 400.
  expect(styleAfter(1)).toEqual({ inlineSize: '200px', rotate: '-90deg', margin: '50px 100px' });
});
