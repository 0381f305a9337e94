import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { BrowserRouter, Navigate, Route, Routes } from 'react-router';
import { queryClient } from '../lib/api/query.ts';
import { AlertHost } from '../ui/overlays/alert.tsx';
import { ToastHost } from '../ui/overlays/toast.tsx';
import { CasePage } from './case/case-page.tsx';
import { ConsoleBoundary } from './console-boundary.tsx';
import { Door } from './door/door.tsx';
import { HealthPage } from './health/health-page.tsx';
import { Layout } from './layout.tsx';
import { LogPage } from './log/log-page.tsx';
import { MessagesPage } from './messages/messages-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { QueuePage } from './queue/queue-page.tsx';
import { EntryPage } from './search/entry-page.tsx';
import { RecordPage } from './search/record-page.tsx';
import { SearchPage } from './search/search-page.tsx';

/** The operators' console (ADR 182). Nothing it loads is stored on the device. */
export function Console() {
  return (
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <BrowserRouter basename="/operator">
          <ConsoleBoundary>
            <Door>
              <Layout>
                <Routes>
                  <Route path="/" element={<Navigate to="/cases" replace />} />
                  <Route path="/cases" element={<QueuePage />} />
                  <Route path="/cases/:kind/:subjectId" element={<CasePage />} />
                  <Route path="/search" element={<SearchPage />} />
                  <Route path="/search/:kind/:id" element={<RecordPage />} />
                  <Route path="/entries/:entryId" element={<EntryPage />} />
                  <Route path="/health" element={<HealthPage />} />
                  <Route path="/log" element={<LogPage />} />
                  <Route path="/messages" element={<MessagesPage />} />
                  <Route path="*" element={<NotFoundPage />} />
                </Routes>
              </Layout>
            </Door>
          </ConsoleBoundary>
        </BrowserRouter>
        <ToastHost />
        <AlertHost />
      </QueryClientProvider>
    </I18nProvider>
  );
}
