import type { ChargebackCase } from '@nearhand/contract/trust/case-facts';
import { chargebackLimits, type OpenChargeback } from '@nearhand/contract/trust/chargebacks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { saveBlob } from '../../lib/forms/stored-file.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatMoney } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { api, apiQuery } from '../console-api.ts';
import { codeText } from '../queue/case.labels.ts';
import { useWhen } from './case-zone.ts';
import { Facts, FactsCard } from './facts-card.tsx';

/** A payment that a bank took back, and the answer to it. */
export function ChargebackFacts({ chargeback, mine }: { chargeback: ChargebackCase; mine: boolean }) {
  const when = useWhen();
  const money = (minor: number) => formatMoney(minor, chargeback.currency);
  return (
    <>
      <FactsCard title="Chargeback">
        <Facts
          rows={[
            ['Business', chargeback.business.name],
            ['For', `${codeText(chargeback.purpose)}: ${chargeback.description}`],
            ['Charged', `${money(chargeback.amountMinor)}, ${when(chargeback.chargedAt)}`],
            ['Charged back', money(chargeback.chargebackMinor)],
            ['Taken from the business so far', money(chargeback.borneMinor)],
            ['Provider reference', chargeback.providerRef],
            ['Booked work', chargeback.engagementId],
          ]}
        />
      </FactsCard>
      {mine ? (
        <Evidence chargeback={chargeback} />
      ) : (
        <FactsCard title="Answer to the bank">
          <p className="sm mute">Claim the case to read the record and to answer.</p>
        </FactsCard>
      )}
    </>
  );
}

function Evidence({ chargeback: { chargeId, currency } }: { chargeback: ChargebackCase }) {
  const evidence = useQuery(apiQuery.chargebacks.evidence.queryOptions({ input: { chargeId } }));
  return (
    <QueryState query={evidence} loading={<RowsSkeleton count={3} />} errorTitle="The record can't be read">
      {({ open, text }) =>
        open.length === 0 ? (
          <FactsCard title="Answer to the bank">
            <p className="sm mute">Answer it at the payment provider. The outcome arrives from there.</p>
          </FactsCard>
        ) : (
          open.map((chargeback) => (
            <Answer
              key={chargeback.ref}
              chargeId={chargeId}
              chargeback={chargeback}
              currency={currency}
              record={text}
              onSent={() => void evidence.refetch()}
            />
          ))
        )
      }
    </QueryState>
  );
}

const answerWords: Record<NonNullable<OpenChargeback['answer']>['status'], string> = {
  created: 'Being sent',
  sent: 'Sent to the bank. Its decision will appear here',
  refused: 'The payment provider did not take it',
};

function Answer({
  chargeId,
  chargeback: { ref, amountMinor, answerBy, answer },
  currency,
  record,
  onSent,
}: {
  chargeId: string;
  chargeback: OpenChargeback;
  currency: ChargebackCase['currency'];
  record: string;
  onSent: () => void;
}) {
  const when = useWhen();
  const action = useAction(errorText);
  const [text, setText] = useState(record);
  const sum = formatMoney(amountMinor, currency);
  const isOpen = answerBy !== null && (answer === null || answer.status === 'refused');
  const showPdf = () =>
    action.run(async () => {
      const { pdf } = await api.chargebacks.evidence({ chargeId, withPdf: 'true' });
      const bytes = Uint8Array.from(atob(pdf ?? ''), (byte) => byte.charCodeAt(0));
      saveBlob(new Blob([bytes], { type: 'application/pdf' }), 'record.pdf');
    });
  const send = async () => {
    const choice = await showAlert({
      title: 'Send this answer?',
      message: 'The bank takes one answer. The text goes to it as you see it here, and as a PDF.',
      tone: 'ask',
      buttons: [
        { value: 'send', label: 'Send to the bank' },
        { value: 'no', label: 'Not yet' },
      ],
    });
    if (choice !== 'send') return;
    await action.run(async () => {
      await api.chargebacks.answer({ chargeId, ref, text });
      showToast('Answer on its way to the bank');
      onSent();
    });
  };
  return (
    <FactsCard title={`Answer to the bank about ${sum}`}>
      <Facts
        rows={[
          ['Answer by', answerBy && when(answerBy)],
          ['Answer', answer && `${answerWords[answer.status]}. ${answer.by}, ${when(answer.at)}`],
        ]}
      />
      {answerBy === null && answer === null ? (
        <p className="sm mute">This chargeback can’t be answered.</p>
      ) : null}
      {isOpen ? (
        <Form className="col g4 mt3" onSubmit={() => void send()}>
          <TextArea
            label="Answer"
            help="Start with why the payment is valid. Remove anything that doesn’t help."
            rows={16}
            maxLength={chargebackLimits.answerMax}
            length={text.length}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Refused text={action.refusal} />
          <Button kind="out" icon="download-simple" busy={action.busy} onClick={() => void showPdf()}>
            Save the record as a PDF
          </Button>
          <Button kind="ink" type="submit" busy={action.busy} disabled={text.trim() === ''}>
            Send to the bank
          </Button>
        </Form>
      ) : null}
    </FactsCard>
  );
}
