import { isId } from '@nearhand/contract/ids';
import {
  isCaseKind,
  type OperatorContext,
  operatorReasonMax,
  operatorReasonMin,
} from '@nearhand/contract/operator-context';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { createStore } from '../../lib/store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { AccessReasonForm } from '../access-reason-form.tsx';
import { useOperator } from '../sign-in/operator-session.ts';

/** The typed access reason, by operator. It holds until they change it, leave, or reload the page. */
const typedReason = createStore<{ operatorId: string; reason: string } | null>(null);
/** The operator's access reason: the case in the address, or the typed reason; null if there is neither (ADR 175). */
export function useAccessReason(): OperatorContext | null {
  const [query] = useSearchParams();
  const { id } = useOperator();
  const reason = typedReason.useValue();
  const [kind, subjectId] = (query.get('case') ?? '').split('/');
  if (isCaseKind(kind) && isId(subjectId)) return { case: { kind, subjectId } };
  return reason?.operatorId === id ? { reason: reason.reason } : null;
}

export function withCase(path: string, access: OperatorContext | null): string {
  const caseRef = access?.case;
  return caseRef ? `${path}${path.includes('?') ? '&' : '?'}case=${caseRef.kind}/${caseRef.subjectId}` : path;
}

export function AccessReasonGate({ children }: { children: (access: OperatorContext) => ReactNode }) {
  const access = useAccessReason();
  const { id } = useOperator();
  if (!access)
    return (
      <div className="card c-gate">
        <AccessReasonForm
          label="Why do you need access?"
          help={`What brought you here, such as “Request 7C26FA” or “Call about a late withdrawal”, without a name. It goes into the log with everything you open. ${operatorReasonMin} to ${operatorReasonMax} characters.`}
          action="Continue"
          onReason={(reason) => typedReason.set({ operatorId: id, reason })}
        />
      </div>
    );
  return (
    <>
      <p className="row g2 wrap sm mute">
        {access.reason ? (
          <>
            <span className="break">Reason: {access.reason}</span>
            <Button kind="text" size="xs" onClick={() => typedReason.set(null)}>
              Change
            </Button>
          </>
        ) : (
          <span>For the case you have claimed.</span>
        )}
      </p>
      {children(access)}
    </>
  );
}
