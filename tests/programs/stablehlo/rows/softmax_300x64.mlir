// tolerance: 2e-05
// in: draw 1 -6 3.814697265625e-06 3145728
// out: sums 27.0308554 27.0114016 30.7487009 26.7850538 27.8592694 28.6545989 30.1046974 28.9229093 25.2096978 26.0985824 28.4021662 27.3322668 28.8622694 29.7988151 28.0008621 29.3393573
// cost: 18 instructions, 869720 ticks
module {
  func.func public @main(%arg0: tensor<300x64xf32>) -> (tensor<300x64xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<300x64xf32>, tensor<f32>) -> tensor<300xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<300xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<300xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<300xf32>) -> tensor<300x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<300x1xf32>) -> tensor<300x64xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<300x64xf32>
    %6 = stablehlo.exponential %5 : tensor<300x64xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<300x64xf32>, tensor<f32>) -> tensor<300xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<300xf32>) -> tensor<300x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<300x1xf32>) -> tensor<300x64xf32>
    %10 = stablehlo.divide %6, %9 : tensor<300x64xf32>
    return %10 : tensor<300x64xf32>
  }
}
