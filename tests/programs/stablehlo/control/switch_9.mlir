// tolerance: 2e-05
// in: 9
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: -0.0616188049 0.179439545 0.740646362 0.939496994 -0.518428802 0.472387314 -0.782016754 -1.75502396 1.12459755 1.1628933 1.1559391 -0.0490264893 -0.676599503 -1.27631378 1.51951408 1.4192009 1.57209396 -1.00000191 0.860340118 0.988697052
// cost: 385 instructions, 1333715 ticks
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
