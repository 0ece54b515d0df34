// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<140x40xf32>, %1: tensor<140x40xf32>) -> (tensor<140x40xf32>, tensor<140x40xf32>) {
    %2 = "stablehlo.add"(%0, %1) : (tensor<140x40xf32>, tensor<140x40xf32>) -> (tensor<140x40xf32>)
    %3 = "stablehlo.multiply"(%2, %0) : (tensor<140x40xf32>, tensor<140x40xf32>) -> (tensor<140x40xf32>)
    %5 = "stablehlo.subtract"(%2, %1) : (tensor<140x40xf32>, tensor<140x40xf32>) -> (tensor<140x40xf32>)
    "stablehlo.return"(%3, %5) : (tensor<140x40xf32>, tensor<140x40xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<140x40xf32>, %1: tensor<140x40xf32>) -> (tensor<140x40xf32>, tensor<140x40xf32>) {
    %3, %4 = "stablehlo.composite"() <{name = "trainyard.elementwise"}> ({
      %2 = "stablehlo.add"(%0, %1) : (tensor<140x40xf32>, tensor<140x40xf32>) -> (tensor<140x40xf32>)
      %3 = "stablehlo.multiply"(%2, %0) : (tensor<140x40xf32>, tensor<140x40xf32>) -> (tensor<140x40xf32>)
      %4 = "stablehlo.subtract"(%2, %1) : (tensor<140x40xf32>, tensor<140x40xf32>) -> (tensor<140x40xf32>)
      "stablehlo.return"(%3, %4) : (tensor<140x40xf32>, tensor<140x40xf32>) -> ()
    }) : () -> (tensor<140x40xf32>, tensor<140x40xf32>)
    "stablehlo.return"(%3, %4) : (tensor<140x40xf32>, tensor<140x40xf32>) -> ()
  }
}
