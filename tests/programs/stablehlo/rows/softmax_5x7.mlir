// tolerance: 2e-05
// in: draw 1 -6 3.814697265625e-06 3145728
// out: 0.0115988785 0.118648425 0.0944058821 0.170806184 0.275675476 0.328844637 2.04594744e-05 0.271965563 0.348236948 0.345595479 5.20142785e-05 0.00215777592 7.91759248e-06 0.0319844186 0.0625309497 0.0328305438 0.000477856054 7.36461952e-05 0.867580652 0.00588872982 0.0306176599 0.000271362835 0.0300608911 0.0276924372 1.25585011e-05 0.0965683982 0.0100211613 0.835373223 0.477059901 5.283664e-05 0.0879169106 0.00010725906 0.359652042 0.0196354073 0.0555755608
// cost: 10 instructions, 725913 ticks
module {
  func.func public @main(%arg0: tensor<5x7xf32>) -> (tensor<5x7xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<5xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x7xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<5x7xf32>
    %6 = stablehlo.exponential %5 : tensor<5x7xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x7xf32>
    %10 = stablehlo.divide %6, %9 : tensor<5x7xf32>
    return %10 : tensor<5x7xf32>
  }
}
