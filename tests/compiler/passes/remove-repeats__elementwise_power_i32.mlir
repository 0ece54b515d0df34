// tolerance: 0
// in: draw 1 -20 1 41
module @module {
  func.func public @main(%0: tensor<50xi32>) -> (tensor<50xi32>) {
    %1 = "stablehlo.multiply"(%0, %0) : (tensor<50xi32>, tensor<50xi32>) -> (tensor<50xi32>)
    %2 = "stablehlo.multiply"(%1, %0) : (tensor<50xi32>, tensor<50xi32>) -> (tensor<50xi32>)
    %3 = "stablehlo.multiply"(%0, %0) : (tensor<50xi32>, tensor<50xi32>) -> (tensor<50xi32>)
    %4 = "stablehlo.multiply"(%3, %3) : (tensor<50xi32>, tensor<50xi32>) -> (tensor<50xi32>)
    %5 = "stablehlo.add"(%2, %4) : (tensor<50xi32>, tensor<50xi32>) -> (tensor<50xi32>)
    "stablehlo.return"(%5) : (tensor<50xi32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<50xi32>) -> (tensor<50xi32>) {
    %1 = "stablehlo.multiply"(%0, %0) : (tensor<50xi32>, tensor<50xi32>) -> (tensor<50xi32>)
    %2 = "stablehlo.multiply"(%1, %0) : (tensor<50xi32>, tensor<50xi32>) -> (tensor<50xi32>)
    %4 = "stablehlo.multiply"(%1, %1) : (tensor<50xi32>, tensor<50xi32>) -> (tensor<50xi32>)
    %5 = "stablehlo.add"(%2, %4) : (tensor<50xi32>, tensor<50xi32>) -> (tensor<50xi32>)
    "stablehlo.return"(%5) : (tensor<50xi32>) -> ()
  }
}
