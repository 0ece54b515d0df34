// tolerance: 2e-06
// in: 0 1 -2 0.5
// out: 0 0.731058579 -0.238405844 0.311229666
// out: 0 0.841344746 -0.0455002639 0.345731231
// out: 0 0.841191991 -0.0454023059 0.345714010
// out: 0 0.842700793 -0.995322265 0.520499878
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = stablehlo.custom_call @AwsNeuronSilu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = stablehlo.custom_call @AwsNeuronGelu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %c = stablehlo.custom_call @AwsNeuronGeluApprxTanh(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %d = stablehlo.custom_call @AwsNeuronErf(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %a, %b, %c, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// -----
module @module {
  func.func public @main(%0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %1 = "stablehlo.call"(%0) <{callee = @"AwsNeuronSilu  (tensor<4xf32>) -> (tensor<4xf32>)"}> : (tensor<4xf32>) -> (tensor<4xf32>)
    %2 = "stablehlo.call"(%0) <{callee = @"AwsNeuronGelu  (tensor<4xf32>) -> (tensor<4xf32>)"}> : (tensor<4xf32>) -> (tensor<4xf32>)
    %3 = "stablehlo.call"(%0) <{callee = @"AwsNeuronGeluApprxTanh  (tensor<4xf32>) -> (tensor<4xf32>)"}> : (tensor<4xf32>) -> (tensor<4xf32>)
    %4 = "stablehlo.call"(%0) <{callee = @"AwsNeuronErf  (tensor<4xf32>) -> (tensor<4xf32>)"}> : (tensor<4xf32>) -> (tensor<4xf32>)
    "stablehlo.return"(%1, %2, %3, %4) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> ()
  }
  func.func private @"AwsNeuronSilu  (tensor<4xf32>) -> (tensor<4xf32>)"(%0: tensor<4xf32>) -> (tensor<4xf32>) {
    %1 = "stablehlo.logistic"(%0) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<4xf32>) -> (tensor<4xf32>)
    %2 = "stablehlo.multiply"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
    "stablehlo.return"(%2) : (tensor<4xf32>) -> ()
  }
  func.func private @"AwsNeuronGelu  (tensor<4xf32>) -> (tensor<4xf32>)"(%0: tensor<4xf32>) -> (tensor<4xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<4xf32>}> : () -> (tensor<4xf32>)
    %2 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<4xf32>}> : () -> (tensor<4xf32>)
    %3 = "stablehlo.constant"() <{value = dense<7.071067691e-01> : tensor<4xf32>}> : () -> (tensor<4xf32>)
    %4 = "stablehlo.multiply"(%0, %3) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
    %5 = "stablehlo.composite"(%4) <{composite_attributes = {}, name = "chlo.erf", version = 0 : i64}> : (tensor<4xf32>) -> (tensor<4xf32>)
    %6 = "stablehlo.add"(%5, %2) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
    %7 = "stablehlo.multiply"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
    %8 = "stablehlo.multiply"(%7, %6) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
    "stablehlo.return"(%8) : (tensor<4xf32>) -> ()
  }
  func.func private @"AwsNeuronGeluApprxTanh  (tensor<4xf32>) -> (tensor<4xf32>)"(%0: tensor<4xf32>) -> (tensor<4xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<4xf32>}> : () -> (tensor<4xf32>)
    %2 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<4xf32>}> : () -> (tensor<4xf32>)
    %3 = "stablehlo.constant"() <{value = dense<4.471499845e-02> : tensor<4xf32>}> : () -> (tensor<4xf32>)
    %4 = "stablehlo.constant"() <{value = dense<7.978845835e-01> : tensor<4xf32>}> : () -> (tensor<4xf32>)
    %5 = "stablehlo.multiply"(%0, %0) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
    %6 = "stablehlo.multiply"(%5, %0) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
    %7 = "stablehlo.multiply"(%6, %3) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
    %8 = "stablehlo.add"(%0, %7) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
    %9 = "stablehlo.multiply"(%8, %4) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
    %10 = "stablehlo.tanh"(%9) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<4xf32>) -> (tensor<4xf32>)
    %11 = "stablehlo.add"(%10, %2) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
    %12 = "stablehlo.multiply"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
    %13 = "stablehlo.multiply"(%12, %11) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
    "stablehlo.return"(%13) : (tensor<4xf32>) -> ()
  }
  func.func private @"AwsNeuronErf  (tensor<4xf32>) -> (tensor<4xf32>)"(%0: tensor<4xf32>) -> (tensor<4xf32>) {
    %1 = "stablehlo.composite"(%0) <{composite_attributes = {}, name = "chlo.erf", version = 0 : i64}> : (tensor<4xf32>) -> (tensor<4xf32>)
    "stablehlo.return"(%1) : (tensor<4xf32>) -> ()
  }
}
