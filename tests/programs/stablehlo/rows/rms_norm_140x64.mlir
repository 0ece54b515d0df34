// tolerance: 5e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -3.87559347 -15.2426343 -22.4703811 -22.0259037 -40.1486372 9.0187713 -3.83634435 0.233534868 -1.64944488 -10.8509811 -47.8779145 15.1198845 -28.682667 7.26496502 -29.9329304 0.353859596
// cost: 13 instructions, 874383 ticks
module {
  func.func public @main(%arg0: tensor<140x64xf32>, %arg1: tensor<64xf32>) -> (tensor<140x64xf32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<140x64xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<140x64xf32>, tensor<f32>) -> tensor<140xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<140xf32>) -> tensor<140x1xf32>
    %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<140x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<140x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<140x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<140x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<140x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<140x1xf32>) -> tensor<140x64xf32>
    %9 = stablehlo.multiply %arg0, %8 : tensor<140x64xf32>
    %10 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<140x64xf32>
    %12 = stablehlo.multiply %9, %11 : tensor<140x64xf32>
    return %12 : tensor<140x64xf32>
  }
}
