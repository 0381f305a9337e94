import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { type RenderResult, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { queryClient } from '../src/lib/api/query.ts';
import { AlertHost } from '../src/ui/overlays/alert.tsx';
import { ToastHost } from '../src/ui/overlays/toast.tsx';
import { openDevice, type RenderOptions } from './device.ts';
import type { FakeApi } from './fake-api.ts';

function Around({ path, children }: { path: string; children: ReactNode }) {
  return (
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter initialEntries={[path]}>{children}</MemoryRouter>
        <ToastHost />
        <AlertHost />
      </QueryClientProvider>
    </I18nProvider>
  );
}

/** Renders a part of a screen with the app's providers, in its own router. */
export function renderPart(
  part: ReactNode,
  { path = '/', ...options }: RenderOptions & { path?: string } = {},
): RenderResult & { api: FakeApi } {
  const api = openDevice(options);
  const wrap = (inside: ReactNode) => <Around path={path}>{inside}</Around>;
  const rendered = render(wrap(part));
  return { api, ...rendered, rerender: (next) => rendered.rerender(wrap(next)) };
}
