import { Bar, Loading } from '../../ui/pages/skeleton.tsx';

export function BalanceSkeleton() {
  return (
    <Loading>
      <div className="balance-page">
        <span className="sk balance-sk" />
        <div className="sk-lines">
          <Bar width={30} />
          <span className="sk balance-sk-field" />
        </div>
        <div className="sk-lines">
          <Bar width={40} />
          <Bar width={80} />
          <Bar width={70} />
        </div>
      </div>
    </Loading>
  );
}
