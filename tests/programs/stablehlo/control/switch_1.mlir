// tolerance: 2e-05
// in: 1
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 0.999525428 0.995977879 0.932210445 0.891682148 0.966591656 0.972235739 0.924525201 0.639066815 0.846031785 0.835668981 0.837573647 0.999699593 0.943320334 0.803195119 0.725003362 0.758622229 0.706647873 0.877582133 0.908894837 0.880277991
// cost: 385 instructions, 4495223 ticks
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
