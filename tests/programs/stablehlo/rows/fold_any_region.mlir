// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 67.2837401 40.2367542 90.4799758 64.7867475 68.9075976 52.9048108 81.3960109 57.1081004 63.9599231 78.8587096 65.3205875 54.4782464 76.2724314 93.3587874 45.4714464 69.3063306
// out: sums 35.1014351 28.3913259 41.4650297 48.2681804 49.9542564 38.4549616 48.2127025 12.6404375 38.742813 31.4323882 38.2748821 35.4792931 43.4424052 57.4364254 33.7884763 59.9231217
// cost: 205 instructions, 8948343 ticks
module {
  func.func public @main(%arg0: tensor<6x20x37xf32>) -> (tensor<6x37xf32>, tensor<6x20xf32>) {
    %cst = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) across dimensions = [1] : (tensor<6x20x37xf32>, tensor<f32>) -> tensor<6x37xf32>
     reducer(%arg1: tensor<f32>, %arg2: tensor<f32>)  {
      %2 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      %3 = stablehlo.subtract %arg1, %arg2 : tensor<f32>
      %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.add %arg1, %arg2 : tensor<f32>
      %6 = stablehlo.abs %3 : tensor<f32>
      %7 = stablehlo.negate %6 : tensor<f32>
      %8 = stablehlo.exponential %7 : tensor<f32>
      %9 = stablehlo.log_plus_one %8 : tensor<f32>
      %10 = stablehlo.add %2, %9 : tensor<f32>
      %11 = stablehlo.select %4, %5, %10 : tensor<i1>, tensor<f32>
      stablehlo.return %11 : tensor<f32>
    }
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %cst_0) across dimensions = [2] : (tensor<6x20x37xf32>, tensor<f32>) -> tensor<6x20xf32>
     reducer(%arg1: tensor<f32>, %arg2: tensor<f32>)  {
      %2 = stablehlo.multiply %arg1, %arg1 : tensor<f32>
      %3 = stablehlo.multiply %arg2, %arg2 : tensor<f32>
      %4 = stablehlo.add %2, %3 : tensor<f32>
      %5 = stablehlo.sqrt %4 : tensor<f32>
      stablehlo.return %5 : tensor<f32>
    }
    return %0, %1 : tensor<6x37xf32>, tensor<6x20xf32>
  }
}
