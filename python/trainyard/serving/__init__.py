"""Serving: requests on a simulated clock, planned by tables or computed exactly.

    from trainyard import serving

    plan = serving.planned.plan("llama3-70b", "trn3-gen2", slo="ttft=500ms,tpot=30ms", tp=4)
    print(plan)

One scheduler (src/serving) serves both engines: `planned` runs its steps by tables of what they
take, `exact` computes them on the simulated chip. The clock of all metrics is simulated.
"""
