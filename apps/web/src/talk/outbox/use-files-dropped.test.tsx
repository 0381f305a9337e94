import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { useFilesDropped } from './composer-files.tsx';

afterEach(cleanup);

const onFiles = vi.fn();

function Room() {
  const form = useRef<HTMLFormElement>(null);
  const isDragging = useFilesDropped(form, onFiles);
  return (
    <div className="chat-room">
      <p>a message</p>
      <form ref={form}>{isDragging ? 'held' : 'free'}</form>
    </div>
  );
}

it('accepts files dropped anywhere on the conversation, but no dragged text', async () => {
  render(<Room />);
  const message = screen.getByText('a message');
  const file = new File(['x'], 'desk.png', { type: 'image/png' });
  const files = { dataTransfer: { types: ['Files'], files: [file] } };
  expect(fireEvent.dragOver(message, files)).toBe(false);
  expect(screen.getByText('held')).toBeDefined();
  expect(fireEvent.drop(message, files)).toBe(false);
  await waitFor(() => expect(onFiles).toHaveBeenCalledExactlyOnceWith([file]));
  expect(screen.getByText('free')).toBeDefined();
  const words = { dataTransfer: { types: ['text/plain'], files: [] } };
  expect(fireEvent.dragOver(message, words)).toBe(true);
  expect(fireEvent.drop(message, words)).toBe(true);
  expect(onFiles).toHaveBeenCalledOnce();
});
