import '../ui/tokens.css';
import '../ui/components.css';
import '../ui/base.css';
import '../ui/controls/forms.css';
import '../ui/parts.css';
import '../ui/lists.css';
import '../ui/overlays/overlays.css';
import '../ui/desk.css';
import './console.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { type OperatorCapability, operatorMay } from '@nearhand/contract/operator-roles';
import { QueryClientProvider } from '@tanstack/react-query';
import { Component, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter, Navigate, Route, Routes, useLocation } from 'react-router';
import { queryClient } from '../lib/api/query.ts';
import { appearance, applyAppearance } from '../lib/device/device-setting.ts';
import { showLanguage } from '../lib/words/show-language.ts';
import { Icon } from '../ui/art/icon.tsx';
import type { IconName } from '../ui/art/icon-names.ts';
import { Mark } from '../ui/art/mark.tsx';
import { Button, IconButton } from '../ui/controls/button.tsx';
import { Link } from '../ui/controls/link.tsx';
import { AlertHost } from '../ui/overlays/alert.tsx';
import { ToastHost } from '../ui/overlays/toast.tsx';
import { EmptyState } from '../ui/pages/states.tsx';
import { BankTransfersPage } from './bank-transfers/bank-transfers-page.tsx';
import { CreditLimitsPage } from './bank-transfers/credit-limits-page.tsx';
import { CasePage } from './case/case-page.tsx';
import { consoleAuth } from './console-auth.ts';
import { HealthPage } from './health/health-page.tsx';
import { LogPage } from './log/log-page.tsx';
import { TransparencyPage } from './log/transparency-page.tsx';
import { MacrosPage } from './messages/macros-page.tsx';
import { MessagesPage } from './messages/messages-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { watchPresence } from './presence.ts';
import { QueuePage } from './queue/queue-page.tsx';
import { EntryPage } from './search/entry-page.tsx';
import { RecordPage } from './search/record-page.tsx';
import { SearchPage } from './search/search-page.tsx';
import { useOperator } from './sign-in/operator-session.ts';
import { Door } from './sign-in/sign-in-gate.tsx';
import { TaxReportsPage } from './tax-reports/tax-reports-page.tsx';
import { TeamPage } from './team/team-page.tsx';

applyAppearance();
appearance.subscribe(applyAppearance);
watchPresence();

// English only (ADR 176): the texts are in the code.
showLanguage('en');
const root = document.getElementById('root');
if (root) createRoot(root).render(<Console />);

/** The operators' console (ADR 176). Nothing it loads is stored on the device. */
function Console() {
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
                  <Route path="/team" element={<TeamPage />} />
                  <Route path="/transparency" element={<TransparencyPage />} />
                  <Route path="/bank-transfers" element={<BankTransfersPage />} />
                  <Route path="/credit-limits" element={<CreditLimitsPage />} />
                  <Route path="/tax-reports" element={<TaxReportsPage />} />
                  <Route path="/answers" element={<MacrosPage />} />
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

class ConsoleBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="c-door" role="alert">
        <EmptyState
          art="error"
          level="h1"
          title="This page didn't open"
          actions={
            <Button kind="go" full icon="arrows-clockwise" onClick={() => globalThis.location.reload()}>
              Reload
            </Button>
          }
        >
          <p>A newer version may be available. Nothing you sent is lost.</p>
        </EmptyState>
      </main>
    );
  }
}

type Place = { to: string; label: string; icon: IconName; may: OperatorCapability };

const places: readonly Place[] = [
  { to: '/cases', label: 'Queue', icon: 'list-bullets', may: 'queue' },
  { to: '/search', label: 'Search', icon: 'magnifying-glass', may: 'search' },
  { to: '/answers', label: 'Answers', icon: 'note-pencil', may: 'queue' },
  { to: '/messages', label: 'Messages', icon: 'megaphone', may: 'service-messages' },
  { to: '/health', label: 'Health', icon: 'clock-countdown', may: 'health' },
  { to: '/bank-transfers', label: 'Transfers', icon: 'bank', may: 'payments' },
  { to: '/credit-limits', label: 'Credit limits', icon: 'hand-coins', may: 'payments' },
  { to: '/tax-reports', label: 'Tax reports', icon: 'receipt', may: 'payments' },
  { to: '/log', label: 'Log', icon: 'article', may: 'log' },
  { to: '/team', label: 'Operators', icon: 'users', may: 'operators' },
  { to: '/transparency', label: 'Transparency', icon: 'clipboard-text', may: 'log' },
];

function Layout({ children }: { children: ReactNode }) {
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <div className="console">
        <Rail />
        {children}
      </div>
    </>
  );
}

function Rail() {
  const { pathname } = useLocation();
  const { name, roles } = useOperator();
  const allowedPlaces = places.filter(({ may }) => operatorMay(roles, may));
  return (
    <header className="c-rail">
      <div className="c-brand">
        <Mark onPine />
        <span className="strong">Operators</span>
      </div>
      <nav className="c-nav" aria-label="Console">
        {allowedPlaces.map(({ to, label, icon }) => (
          <Link key={to} className="nav" to={to} aria-current={pathname.startsWith(to) ? 'page' : undefined}>
            <Icon name={icon} />
            {label}
          </Link>
        ))}
      </nav>
      <div className="c-who">
        <span className="sm clip">{name}</span>
        <IconButton
          icon="sign-out"
          label="Log out"
          onClick={() => void consoleAuth.signOut().catch(() => {})}
        />
      </div>
    </header>
  );
}
