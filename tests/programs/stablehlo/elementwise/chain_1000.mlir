// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 150.272674 178.941147 195.322691 144.324389 157.515336 129.750491 118.749447 112.598354 152.134694 132.925508 148.259698 175.799114 167.33708 133.97027 148.818669 149.45378
// cost: 8 instructions, 730658 ticks
module {
  func.func public @main(%arg0: tensor<1000xf32>, %arg1: tensor<1000xf32>) -> (tensor<1000xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<1000xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1000xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<1000xf32>
    %3 = stablehlo.multiply %arg0, %arg1 : tensor<1000xf32>
    %4 = stablehlo.subtract %2, %3 : tensor<1000xf32>
    %5 = stablehlo.tanh %4 : tensor<1000xf32>
    %cst_0 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1000xf32>
    %7 = stablehlo.add %5, %6 : tensor<1000xf32>
    return %7 : tensor<1000xf32>
  }
}
