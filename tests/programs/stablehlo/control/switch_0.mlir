// tolerance: 2e-05
// in: 0
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: -0.0308045279 0.0895994529 0.361916721 0.452662051 -0.256321281 0.234003663 -0.38112089 -0.76915127 0.533132434 0.549233437 0.546324432 -0.0245107897 -0.331883699 -0.595716059 0.68874532 0.651530743 0.707565427 -0.479426384 0.417025387 0.474458277
// cost: 385 instructions, 4477768 ticks
module {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<20xf32>) -> (tensor<20xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.clamp %c, %arg0, %c_0 : tensor<i32>
    %1 = "stablehlo.case"(%0) ({
      %2 = stablehlo.sine %arg1 : tensor<20xf32>
      stablehlo.return %2 : tensor<20xf32>
    }, {
      %2 = stablehlo.cosine %arg1 : tensor<20xf32>
      stablehlo.return %2 : tensor<20xf32>
    }, {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20xf32>
      %3 = stablehlo.multiply %arg1, %2 : tensor<20xf32>
      stablehlo.return %3 : tensor<20xf32>
    }) : (tensor<i32>) -> tensor<20xf32>
    return %1 : tensor<20xf32>
  }
}
