// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: 6
// out: sums 143.682989 90.3928759 132.513953 145.18718 158.69972 120.213592 134.811127 49.2450579 137.327627 144.166127 132.363063 88.7765591 124.834879 177.303758 87.6743417 146.330767
// cost: 37 instructions, 7889554 ticks
module {
  func.func public @main(%arg0: tensor<33x5xf32>, %arg1: tensor<i32>) -> (tensor<33x5xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg1, %iterArg_1 = %arg0) : tensor<i32>, tensor<i32>, tensor<33x5xf32>
    cond {
      %1 = stablehlo.compare LT, %iterArg, %iterArg_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %iterArg, %c_2 : tensor<i32>
      %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<33x5xf32>
      %3 = stablehlo.multiply %iterArg_1, %2 : tensor<33x5xf32>
      %4 = stablehlo.convert %iterArg : (tensor<i32>) -> tensor<f32>
      %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<33x5xf32>
      %6 = stablehlo.add %3, %5 : tensor<33x5xf32>
      stablehlo.return %1, %iterArg_0, %6 : tensor<i32>, tensor<i32>, tensor<33x5xf32>
    }
    return %0#2 : tensor<33x5xf32>
  }
}
